import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { flick } from '../support/flick.ts'
import { rentByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
/** The sizes of targets that a finger hits without looking twice; a tick with its words and a slider are wide, and may be lower. */
const SIZES = { finger: 44, wide: 24 }

test.use({ viewport: PHONE, hasTouch: true, isMobile: true })

const open = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  const link = page.getByRole('dialog').getByRole('link', { name, exact: true })
  const path = (await link.getAttribute('href')) ?? ''
  await link.tap()
  // Until then the page before is looked at.
  await page.waitForURL(`**${path}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Controls of the page's content that a finger may miss. A link within a sentence is as high as its line. */
const tooSmall = (page: Page): Promise<string[]> =>
  page
    .getByRole('main')
    .locator('button, input:not([type=file]), select, summary, a.btn, [role=switch], [role=checkbox], [role=radio]')
    .evaluateAll((elements, { finger, wide }) => {
      const near = (element: Element) => element.closest('label')?.getBoundingClientRect()
      return elements.flatMap((element) => {
        const own = element.getBoundingClientRect()
        const around = near(element)
        const [width, height] = [Math.max(own.width, around?.width ?? 0), Math.max(own.height, around?.height ?? 0)]
        const isShown = own.width > 1 && own.height > 1 && element.checkVisibility()
        const least = width > 4 * wide && element.matches('input:is([type=checkbox], [type=range])') ? wide : finger
        const name = element.getAttribute('aria-label') ?? element.textContent
        return isShown && (width < finger || height < least) ? [`${name}: ${width} x ${height}`] : []
      })
    }, SIZES)

const isInOrder = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  expect.soft(await tooSmall(page), page.url()).toEqual([])
  expect.soft(await violations(page), page.url()).toEqual([])
}

test('with a finger through the panel of a server: every page by the menu, a file, a port, and nothing too small', async ({
  page,
  dataDir,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })

  await test.step('a tap opens a file, the row of signs writes, and a tap saves', async () => {
    await open(page, 'Files')
    await page.getByRole('row').filter({ hasText: 'package.json' }).tap()
    const code = page.locator('.cm-content')
    await expect(code).toContainText('application')
    await code.tap()
    await page.keyboard.press('Control+Home')
    await page.getByRole('toolbar', { name: 'Extra keys' }).getByRole('button').first().tap()
    await page.keyboard.type('typed')
    await isInOrder(page)
    await page.getByRole('button', { name: 'Save', exact: true }).tap()
    await expect(page.getByText(/^Saved at/)).toBeVisible()
    const file = join(dataDir, 'agent/servers', identifier, 'root/package.json')
    expect(readFileSync(file, 'utf8')).toContain('typed')
    await page.getByRole('button', { name: 'Close the file' }).filter({ visible: true }).tap()
    await expect(page.getByRole('row').filter({ hasText: 'package.json' })).toBeVisible()
    await isInOrder(page)
    // Beside its sign a tick is still a tick, and opens nothing.
    const row = page.getByRole('row').filter({ hasText: 'index.js' })
    const box = await row.boundingBox()
    await page.touchscreen.tap((box?.x ?? 0) + 5, (box?.y ?? 0) + 6)
    await expect(row).toHaveAttribute('aria-selected', 'true')
    await expect(code).toHaveCount(0)
    await row.getByRole('checkbox').tap()
    await expect(row).toHaveAttribute('aria-selected', 'false')
  })

  await test.step('a port is added in a dialog that a phone has room for', async () => {
    await open(page, 'Network')
    await page.getByRole('button', { name: 'Add port' }).tap()
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add port' })
    await expect(add).toBeInViewport()
    await page.getByRole('dialog').getByLabel('Note').tap()
    await page.keyboard.type('voice')
    await add.tap()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.locator('.port').filter({ hasText: 'voice' })).toBeVisible()
    await isInOrder(page)
  })

  await test.step('the other pages', async () => {
    for (const name of ['Startup', 'Collaborators', 'Activity', 'Server settings']) {
      await open(page, name)
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
      await isInOrder(page)
    }
  })

  await test.step('a flick moves the settings, and nothing is changed by it', async () => {
    const top = () => page.evaluate(() => window.scrollY)
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    await flick(page, { x: PHONE.width / 2, y: 600, upPx: 280 })
    // The finger goes 280 px up, and the browser takes the first of them to tell a flick from a tap.
    await expect.poll(top).toBeGreaterThan(240)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await page.evaluate(() => window.scrollX)).toBe(0)
  })
})
