import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'

import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { keepSession, openServer } from '../support/console-page.ts'
import { openFiles } from '../support/files-page.ts'
import { createTestNamespace } from '../support/network-namespace.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const dialog = (page: Page) => page.getByRole('dialog')

const ask = async (page: Page, address: string, name = ''): Promise<void> => {
  await dialog(page).getByLabel('Address of the file').fill(address)
  await dialog(page).getByLabel(/^Name/).fill(name)
  await page.keyboard.press('Enter')
}

test('a customer who asks for a file of an address inside is told so by field, and nothing comes', async ({ page }) => {
  const serverId = await openServer(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 120_000 })
  await page.goto(`/en/panel/${serverId}/files`)
  await expect(page.getByRole('row').filter({ hasText: 'package.json' })).toBeVisible()
  await page.getByRole('button', { name: 'From a web address' }).click()
  await expect(dialog(page).getByLabel('Address of the file')).toBeFocused()
  expect(await violations(page)).toEqual([])

  await ask(page, 'ftp://example.com/mod.jar')
  await expect(dialog(page).getByLabel('Address of the file')).toHaveAttribute('aria-invalid', 'true')
  await ask(page, 'http://127.0.0.1:8080/mod.jar')
  await expect(dialog(page).getByLabel('Address of the file')).toHaveAttribute('aria-invalid', 'true')
  expect(await violations(page)).toEqual([])
  await ask(page, 'https://example.com/mod.jar', 'package.json')
  await expect(dialog(page).getByLabel(/^Name/)).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page)).toContainText('package.json already exists here.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row').filter({ hasText: 'mod.jar' })).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'From a web address' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

/** 32 MiB at 128 KiB a second after the first two: no step of a journey is too slow for it. The length is known. */
const SLOW_SOURCE = `
  const start = Buffer.alloc(2 * 1024 * 1024, 'x')
  const piece = Buffer.alloc(64 * 1024, 'x')
  require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-length': 32 * 1024 * 1024 })
    response.write(start)
    const timer = setInterval(() => response.write(piece), 500)
    response.once('close', () => clearInterval(timer))
  }).listen(8080, () => console.log('listens'))
`

/**
 * A slow server of the web. Nodes refuse the addresses that are reserved for tests, so it has one of the internet, in a namespace
 * from which no route leads out.
 */
const openSlowSource = async (): Promise<{ address: string; close: () => void }> => {
  const namespace = createTestNamespace(() => `11.${randomInt(256)}.${randomInt(256)}`)
  const [program, ...args] = namespace.enter(process.execPath, '-e', SLOW_SOURCE)
  const source = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => source.stdout.once('data', resolve))
  return {
    address: `http://${namespace.address}:8080/pack.zip`,
    close: () => {
      source.kill('SIGKILL')
      namespace.remove()
    },
  }
}

test('a download from the web goes on while its page is reloaded, with progress, rate and time left here and in another browser, and is cancelled there', async ({
  page,
  browser,
  demo,
}) => {
  const source = await openSlowSource()
  const serverId = await openFiles(page)
  const second = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  try {
    await page.getByRole('button', { name: 'From a web address' }).click()
    await ask(page, source.address, 'slow.zip')
    const jobs = page.getByRole('list', { name: 'Work in progress' })
    await expect(jobs).toContainText('Downloading slow.zip')
    await page.reload()
    await expect(jobs).toContainText('Downloading slow.zip')
    await expect(jobs).toContainText(/MB\s\/\s32\sMB · .+\/s · \d+ seconds left/)
    expect(await violations(page)).toEqual([])

    await second.addCookies(await page.context().cookies())
    const phone = await second.newPage()
    await phone.goto(`${demo.url}/en/panel/${serverId}/files`)
    const there = phone.getByRole('list', { name: 'Work in progress' })
    await expect(there).toContainText(/MB\s\/\s32\sMB · .+\/s · \d+ seconds left/)
    expect(await violations(phone)).toEqual([])
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await there.getByRole('button', { name: 'Cancel: slow.zip' }).focus()
    await phone.keyboard.press('Enter')
    await expect(there).toContainText('Cancelled: slow.zip. Nothing was changed.')
    await expect(jobs).toContainText('Cancelled: slow.zip. Nothing was changed.')
    await expect(page.getByRole('row').filter({ hasText: 'slow.zip' })).toHaveCount(0)
  } finally {
    await second.close()
    source.close()
  }
})
