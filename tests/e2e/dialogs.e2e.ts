import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'

import { violations } from '../support/axe.ts'
import { keepSession, openServer } from '../support/console-page.ts'
import { standInForConsole } from '../support/console-stand-in.ts'
import { hydrated } from '../support/hydrated.ts'
import { sliceOf } from '../support/slice.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const LANGUAGES = ['en', 'hu', 'de'] as const
type Language = (typeof LANGUAGES)[number]
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

type Words = { readonly [key: string]: string | Words }
const catalog = (language: Language): Words =>
  JSON.parse(readFileSync(new URL(`../../src/messages/${language}.json`, import.meta.url), 'utf8')) as Words

/** A sentence of a catalog by its path, such as `privacy.deletionOpen`. */
const wordsOf = (language: Language) => {
  const words = catalog(language)
  return (path: string): string => {
    const found = path.split('.').reduce<string | Words | undefined>((at, key) => {
      return typeof at === 'object' ? at[key] : undefined
    }, words)
    if (typeof found !== 'string') throw new Error(`${language} has no ${path}`)
    return found
  }
}

/** The open dialog stands at both widths without a finding of axe, and is closed by Escape. */
async function checkDialog(page: Page, what: string): Promise<void> {
  const dialog = page.locator('dialog[open]')
  await expect(dialog).toBeVisible()
  for (const size of WIDTHS) {
    await page.setViewportSize(size)
    await expect(dialog.locator('.skel')).toHaveCount(0)
    expect.soft(await violations(page), `${what} at ${size.width}`).toEqual([])
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
}

const choosePicture = async (page: Page, button: Locator): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await button.click()
  const buffer = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#305ada' } })
    .png()
    .toBuffer()
  await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer })
}

test('axe finds nothing in the dialogs of the settings, in each language, wide and narrow', async ({
  page,
  demo,
  context,
}) => {
  await openServer(page)
  for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
    const words = wordsOf(language)
    const button = (path: string) => page.getByRole('button', { name: words(path), exact: true })
    await context.addCookies([{ name: 'i18n', value: language, url: demo.url }])
    await page.goto('/dashboard/settings')
    await expect(page.locator('.skel')).toHaveCount(0)
    await choosePicture(page, button('settings.pictureChoose'))
    await checkDialog(page, `crop, ${language}`)
    await page.goto('/dashboard/settings/security')
    await hydrated(page, 'main button')
    await button('sessions.endAll').click()
    await checkDialog(page, `sign out everywhere, ${language}`)
    await page.goto('/dashboard/settings/account')
    await hydrated(page, 'main button')
    await button('privacy.deletionOpen').click()
    await checkDialog(page, `deletion, ${language}`)
  }
})

test('axe finds nothing in the dialogs of the console, in each language, wide and narrow', async ({
  page,
  demo,
  context,
}) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, ['ready'])
  for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
    const words = wordsOf(language)
    await context.addCookies([{ name: 'i18n', value: language, url: demo.url }])
    await page.goto(`/panel/${serverId}/console`)
    await expect(page.getByRole('log')).toContainText('ready')
    await page.getByLabel(words('console.command'), { exact: true }).evaluate((element) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'say one\nsay two')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await checkDialog(page, `paste, ${language}`)
    node.say({ event: 'status', args: ['stopping'] })
    await page.getByRole('button', { name: words('servers.actions.kill'), exact: true }).click()
    await checkDialog(page, `kill, ${language}`)
    await node.cut(4429)
    await checkDialog(page, `no connection, ${language}`)
  }
})
