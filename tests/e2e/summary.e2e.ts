import type { Locator, Page } from '@playwright/test'
import { SUMMARY_PANELS } from '../../src/domain/users/summary-layout.ts'
import { violations } from '../support/axe.ts'
import { arrive, rentByApi, signInByApi } from '../support/journey.ts'
import { recordShifts, settled, shiftsOf, slowAnswers } from '../support/layout-shifts.ts'
import { countedDays, panelsOf, standInForPlayerDays } from '../support/summary-page.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const ZONE = 'Europe/Budapest'
/** The balance below the menu gets its height of letters a pixel late. */
const MOST_SHIFT = 0.001

/** On a wide screen the columns stand one after the other. */
const WIDE_ORDER = ['servers', 'players', 'guides', 'waiting', 'due', 'balance', 'news', 'voting']
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const grip = (page: Page, name: string) => page.getByRole('button', { name: `Move panel: ${name}` })
const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const box = async (locator: Locator) => {
  const found = await locator.boundingBox()
  if (!found) throw new Error('It is not on the screen.')
  return found
}
const open = async (page: Page, order: readonly string[]) => {
  await page.goto('/en/dashboard/summary')
  await expect.poll(() => panelsOf(page)).toEqual(order)
}
const reload = async (page: Page, order: readonly string[]) => {
  await page.reload()
  await expect.poll(() => panelsOf(page)).toEqual(order)
}

test('panels are moved by drag and by key, hidden and brought back, on this device and on the next', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  await page.setViewportSize(WIDE)
  const customer = await rentByApi(page, 'Alpha')
  await open(page, WIDE_ORDER)
  expect(await violations(page)).toEqual([])

  // By mouse: the guides above the servers.
  const from = await box(grip(page, 'Guides'))
  const target = await box(panel(page, 'My servers'))
  await page.mouse.move(from.x + 5, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 5, from.y - 20, { steps: 4 })
  await page.mouse.move(target.x + 40, target.y + 8, { steps: 4 })
  await expect(page.locator('.drag-line')).toBeVisible()
  await expect(page.locator('.drag-ghost')).toHaveText('Guides')
  expect(await panelsOf(page)).toEqual(WIDE_ORDER)
  await page.mouse.up()
  const dragged = ['guides', 'servers', 'players', 'waiting', 'due', 'balance', 'news', 'voting']
  await expect.poll(() => panelsOf(page)).toEqual(dragged)

  // By key alone, and the place is announced.
  await tabTo(page, 'button', /^Move panel: News$/)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('News: 3 of 5', { exact: true })).toBeAttached()
  await expect(grip(page, 'News')).toBeFocused()
  await tabTo(page, 'button', /^Panel menu: News$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(panel(page, 'News')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Panels', exact: true })).toBeFocused()
  const hidden = dragged.filter((each) => each !== 'news')
  await reload(page, hidden)

  // The next device has both, in one column.
  const other = await (await browser.newContext({ baseURL: demo.url, viewport: PHONE, hasTouch: true })).newPage()
  await other.goto('/en')
  await signInByApi(other, customer)
  await open(other, ['guides', 'servers', 'waiting', 'due', 'balance', 'players', 'voting'])
  await other.context().close()

  // Back, and as it was at first.
  await page.getByRole('button', { name: 'Panels', exact: true }).click()
  const dialog = page.locator('dialog[open]')
  await expect(dialog.getByRole('checkbox', { name: 'News' })).not.toBeChecked()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'News' }).check()
  await expect(panel(page, 'News')).toBeVisible()
  await dialog.getByRole('button', { name: 'Reset to default' }).click()
  await expect.poll(() => panelsOf(page)).toEqual(WIDE_ORDER)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await reload(page, WIDE_ORDER)
})

test('two windows of one person keep what the other one has changed', async ({ page, context }) => {
  test.setTimeout(180_000)
  await page.setViewportSize(WIDE)
  await rentByApi(page, 'Alpha')
  await open(page, WIDE_ORDER)
  const second = await context.newPage()
  await second.setViewportSize(WIDE)
  await open(second, WIDE_ORDER)
  await grip(page, 'Guides').press('ArrowUp')
  await expect.poll(() => panelsOf(page)).toEqual(['servers', 'guides', 'players', ...WIDE_ORDER.slice(3)])
  const both = ['servers', 'guides', 'players', 'due', 'waiting', 'balance', 'news', 'voting']
  await grip(second, 'Waiting for you').press('ArrowDown')
  await expect.poll(() => panelsOf(second)).toEqual(both)
  await reload(page, both)
})

test.describe('with a finger', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true })

  test('a held title lifts its panel, a menu moves and hides it, and all hidden panels come back', async ({ page }) => {
    test.setTimeout(180_000)
    await rentByApi(page, 'Alpha')
    await open(page, SUMMARY_PANELS)
    expect(await violations(page)).toEqual([])
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    await panel(page, 'Balance').scrollIntoViewIfNeeded()
    await page.evaluate(() => {
      const top = document.querySelector('[data-panel=due]')?.getBoundingClientRect().top ?? 0
      window.scrollBy({ top: top - 120, behavior: 'instant' })
    })
    const title = await box(panel(page, 'Balance').getByRole('heading'))
    const due = await box(panel(page, 'Next 30 days').getByRole('heading'))
    const at = { x: title.x + 20, y: title.y + 10 }
    await touch('touchStart', at)
    await expect(page.locator('.drag-ghost')).toHaveText('Balance')
    await touch('touchMove', { x: at.x, y: due.y + 4 })
    await touch('touchMove', { x: at.x, y: due.y + 2 })
    await touch('touchEnd')
    await expect
      .poll(() => panelsOf(page))
      .toEqual(['servers', 'waiting', 'balance', 'due', 'players', 'news', 'voting', 'guides'])
    // The page still scrolls to the button when it is tapped, and a scroll that moves the button closes its menu.
    await expect(async () => {
      const up = page.getByRole('menuitem', { name: 'Move up' })
      if (!(await up.isVisible())) await page.getByRole('button', { name: 'Panel menu: Guides' }).tap()
      await up.tap({ timeout: 3000 })
    }).toPass({ timeout: 60_000 })
    await expect
      .poll(() => panelsOf(page))
      .toEqual(['servers', 'waiting', 'balance', 'due', 'players', 'news', 'guides', 'voting'])
    await page.getByRole('button', { name: 'Panels', exact: true }).tap()
    const dialog = page.locator('dialog[open]')
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).tap()
    await expect(page.getByText('You have hidden all panels.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Choose panels' }).tap()
    await dialog.getByRole('button', { name: 'Reset to default' }).tap()
    await expect.poll(() => panelsOf(page)).toEqual(SUMMARY_PANELS)
  })
})

const WORDS = {
  en: { players: 'Players, 7 days', peak: 'Peak: 61 players', none: 'Nothing is waiting for you.' },
  hu: { players: 'Játékosok, 7 nap', peak: 'Csúcs: 61 játékos', none: 'Most semmi sem vár rád.' },
  de: {
    players: 'Spieler, 7 Tage',
    peak: 'Höchstwert: 61 Spieler',
    none: 'Gerade wartet nichts auf dich.',
  },
} as const

test('a title of the news leads to the item', async ({ page }) => {
  await rentByApi(page, 'Alpha')
  await open(page, WIDE_ORDER)
  const news = page.locator('.sum-news a').first()
  const title = await news.textContent()
  await news.click()
  await page.waitForURL(/\/blog#news-/)
  await expect(page.locator(new URL(page.url()).hash)).toContainText(title ?? 'none')
})

test('players, waiting and guides tell their facts in three languages and at two sizes, and nothing moves when they are late', async ({
  page,
}) => {
  test.setTimeout(420_000)
  await rentByApi(page, 'Alpha')
  await standInForPlayerDays(page, countedDays([58, 61, null, 29, 37, 41, 43], ZONE))
  await recordShifts(page)
  const awaited = await slowAnswers(page)
  for (const language of ['en', 'hu', 'de'] as const) {
    const words = WORDS[language]
    for (const size of [WIDE, PHONE]) {
      const place = `${language}, ${size.width}`
      await page.setViewportSize(size)
      await page.goto(`/${language}/dashboard/summary`)
      await settled(page, awaited)
      const players = panel(page, words.players)
      await expect(players.locator('figcaption'), place).toContainText(words.peak)
      // The table has a row for each day, also for one that nobody counted.
      await expect(players.getByRole('row'), place).toHaveCount(8)
      expect(await players.locator('td').allTextContents(), place).toEqual([
        '58',
        '61',
        expect.stringMatching(/\D/),
        '29',
        '37',
        '41',
        '43',
      ])
      await expect(players.locator('.sum-registered'), place).toContainText(/\d/)
      await expect(page.getByText(words.none), place).toBeVisible()
      await expect(page.locator('.sum-guides a'), place).toHaveCount(4)
      expect(await widest(page), place).toBeLessThanOrEqual(size.width)
      expect.soft(await violations(page), place).toEqual([])
      const { sum, moved } = await shiftsOf(page)
      expect.soft(sum, `${place}\n${moved.join('\n')}`).toBeLessThanOrEqual(MOST_SHIFT)
    }
  }
})

test('a newcomer sees the first steps and no panel about servers; what fails says so alone', async ({
  page,
  expectedErrors,
}) => {
  test.setTimeout(180_000)
  expectedErrors.push(/Failed to load resource/)
  await page.setViewportSize(WIDE)
  await arrive(page)
  await open(page, ['guides', 'waiting', 'balance', 'news', 'voting'])
  await expect(page.getByRole('region', { name: 'First steps' })).toBeVisible()
  await expect(panel(page, 'Waiting for you')).toContainText('Nothing is waiting for you.')
  expect(await violations(page)).toEqual([])

  const away = { status: 503, json: { error: { code: 'CONTROL_PLANE_UNAVAILABLE', message: 'Away.', params: {} } } }
  for (const path of ['**/api/ticket/all*', '**/api/user/summary-layout', '**/api/stats/**'])
    await page.route(path, (route) => route.fulfill(away))
  await page.reload()
  await expect(panel(page, 'Waiting for you')).toContainText(
    "We couldn't check everything: servers, tickets and invitations may be missing here.",
  )
  await expect(page.getByText("Your panel order didn't load.")).toBeVisible()
  // An order that is unknown is not arranged anew.
  await expect(grip(page, 'Guides')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Panels', exact: true })).toBeDisabled()
  expect(await violations(page)).toEqual([])
})
