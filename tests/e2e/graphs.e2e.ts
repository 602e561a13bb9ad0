import type { Page } from '@playwright/test'

import type { StatsHistory } from '../../src/contracts/panel/stats-history.ts'
import { violations } from '../support/axe.ts'
import { keepSession, many, openServer, restingTop, scrollOf } from '../support/console-page.ts'
import { standInForConsole } from '../support/console-stand-in.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const LINES = 560
/** The node sends so many lines first, and the others when the reader goes back. */
const SENT_FIRST = 500
/** The time of the first line of the stand-in; lines are a second apart. */
const START_S = Date.UTC(2026, 10, 20, 19, 14, 0) / 1_000
const END_S = START_S + LINES
const SHOWN_S = 600

const log = (page: Page) => page.getByRole('log')
const lineOf = (page: Page, number: number) => log(page).getByText(`line ${number} of an evening`, { exact: true })
/** The numbers of the lines that stand within the log's box, wherever the page is scrolled to. */
const inTheLog = (page: Page): Promise<number[]> =>
  log(page).evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect()
    const rows = [...box.querySelectorAll('[data-seq]')].filter((row) => {
      const place = row.getBoundingClientRect()
      return place.top >= top && place.bottom <= bottom
    })
    return rows.map((row) => Number(row.getAttribute('data-seq')))
  })
const isInTheLog = (page: Page, number: number) => expect.poll(() => inTheLog(page)).toContain(number)
const scrolledPage = (page: Page) => page.evaluate(() => window.scrollY)
const slider = (page: Page) => page.getByRole('slider', { name: 'Time shown in graphs and log' })
/** The times above the graphs, which are one. */
const times = async (page: Page) => [...new Set(await page.locator('.graph-values > .t3').allTextContents())]

/** A sample a second for as long as the lines, each number of its own. */
const history = (): StatsHistory => {
  const seconds = Array.from({ length: LINES }, (_, at) => START_S + 1 + at)
  const column = (scale: number) => seconds.map((_, at) => scale * (1 + (at % 60) / 60))
  const spread = (scale: number) => ({ min: column(scale), avg: column(scale), max: column(scale) })
  const minutes = seconds.filter((time) => time % 60 === 0)
  return {
    step: 1,
    fromMs: START_S * 1_000,
    times: seconds,
    cpu: spread(20),
    memory: spread(200_000_000),
    disk: column(300_000_000),
    network: { received: spread(2_000), sent: spread(4_000) },
    players: { times: minutes, online: minutes.map(() => 3), max: minutes.map(() => 20) },
  }
}

const openGraphs = async (page: Page) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, many(LINES))
  await page.goto(`/en/panel/${serverId}/console`)
  await isInTheLog(page, LINES)
  await page.getByRole('button', { name: 'Graphs' }).click()
  await expect(page.getByText('No measurements in this period.')).toBeVisible()
  node.say({ event: 'stats history', args: [history()] })
  await expect(page.locator('.graph-plot .u-over')).toHaveCount(5)
  return node
}

/** Where a time of the last ten minutes is in the drawing of a graph. */
const placeIn = async (page: Page, graph: number, line: number) => {
  const box = await page.locator('.graph-plot .u-over').nth(graph).boundingBox()
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {}
  return { x: x + width * (1 - (LINES - line) / SHOWN_S), y: y + height / 2 }
}
const clock = (line: number) =>
  new Intl.DateTimeFormat('en', { minute: '2-digit', second: '2-digit' }).format((START_S + line) * 1_000)

test('a drag over any graph moves the one cursor of all of them, and the log goes to its time', async ({ page }) => {
  await openGraphs(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('.graph-head b')).toHaveText(['Processor', 'Memory', 'Network', 'Players', 'Storage'])

  await test.step('a drag goes along, and the log stays where it ends', async () => {
    const before = await scrolledPage(page)
    const [from, to] = [await placeIn(page, 0, 450), await placeIn(page, 0, 300)]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 12 })
    await isInTheLog(page, 300)
    await page.mouse.up()
    await page.mouse.move(0, 0)
    await restingTop(page)
    await isInTheLog(page, 300)
    expect(await inTheLog(page)).not.toContain(LINES)
    expect(await scrolledPage(page), 'the graph stays under the pointer').toBe(before)
    expect((await times(page)).length).toBe(1)
    // A pixel of the drawing is about two seconds.
    expect(Math.abs(Number(await slider(page).inputValue()) - (START_S + 300))).toBeLessThan(5)
  })

  await test.step('another graph moves the same cursor', async () => {
    const place = await placeIn(page, 3, 200)
    await page.mouse.click(place.x, place.y)
    await page.mouse.move(0, 0)
    await isInTheLog(page, 200)
    await expect.poll(async () => (await times(page)).length).toBe(1)
    await expect(slider(page)).toHaveAttribute('aria-valuetext', /Processor \d+.*Memory .*Players 3/)
  })

  await test.step('the log takes the graphs along', async () => {
    const before = await times(page)
    await log(page).hover()
    await page.mouse.wheel(0, 2_000)
    await restingTop(page)
    await page.mouse.move(0, 0)
    await expect.poll(() => times(page)).not.toEqual(before)
    expect((await times(page)).length).toBe(1)
  })

  await page.getByRole('button', { name: 'Back to now' }).click()
  await isInTheLog(page, LINES)
  await expect.poll(async () => (await scrollOf(page)).left).toBeLessThan(30)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `at ${size.width}`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
  }
})

test('by keyboard the cursor goes second by second, to its ends, and to lines that were not there yet', async ({
  page,
}) => {
  await openGraphs(page)
  await slider(page).focus()
  const before = await scrolledPage(page)
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).toHaveValue(String(END_S - 5))
  await isInTheLog(page, LINES - 5)
  await expect(lineOf(page, LINES - SENT_FIRST)).toHaveCount(0)
  await page.keyboard.press('Home')
  await isInTheLog(page, 1)
  await expect(slider(page)).toHaveAttribute('aria-valuetext', new RegExp(clock(1)))
  expect(await scrolledPage(page), 'the slider stays in view').toBe(before)
  await page.keyboard.press('End')
  await isInTheLog(page, LINES)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Back to now' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^now: /)
})
