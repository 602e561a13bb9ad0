import type { Page } from '@playwright/test'
import { keepSession, openServer } from '../support/console-page.ts'
import { arrive, signInByApi, statusOfServer } from '../support/journey.ts'
import { forgetShifts, recordShifts, settled, shiftsOf, slowAnswers } from '../support/layout-shifts.ts'
import { openTicket } from '../support/open-ticket.ts'
import { otherPage } from '../support/other-page.ts'
import { screensOf, type Reader } from '../support/screens.ts'
import { sliceOf } from '../support/slice.ts'
import { staffScreens } from '../support/staff-screens.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const MOST_SHIFT = 0.02
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

async function expectStill(page: Page, what: string): Promise<void> {
  const { sum, moved } = await shiftsOf(page)
  test.info().annotations.push({ type: what, description: sum.toFixed(4) })
  expect.soft(sum, `${what}\n${moved.join('\n')}`).toBeLessThanOrEqual(MOST_SHIFT)
}

/** Loads each address anew, with late answers and late fonts: a run takes a third of them, in turn, at each size. */
async function loadEach(page: Page, all: readonly string[], reader: Reader): Promise<void> {
  const loads = SIZES.flatMap((size) => all.map((path) => ({ size, path })))
  await recordShifts(page)
  const awaited = await slowAnswers(page)
  for (const { size, path } of sliceOf(loads, 3)) {
    await page.setViewportSize(size)
    await page.goto(path)
    await settled(page, awaited)
    await expectStill(page, `${reader}: ${path} at ${size.width}`)
  }
}

/** Goes from each address to the next as a link does, within one page: a run has one of the sizes, in turn. */
async function walk(page: Page, paths: readonly string[], reader: Reader): Promise<void> {
  await recordShifts(page)
  const awaited = await slowAnswers(page)
  for (const size of sliceOf(SIZES, SIZES.length)) {
    await page.setViewportSize(size)
    await page.goto(paths[0] ?? '')
    await settled(page, awaited)
    for (const path of paths.slice(1)) {
      await forgetShifts(page)
      await page.evaluate((to) => {
        const { router } = Reflect.get(window, 'next') as { router: { push: (path: string) => void } }
        router.push(to)
      }, path)
      await page.waitForURL((url) => url.pathname.endsWith(path.split('?')[0] ?? ''))
      await settled(page, awaited)
      await expectStill(page, `${reader}: on to ${path} at ${size.width}`)
    }
  }
}

/** A server that starts, or stops starting, changes its console: that is news and no loading. */
async function runningServer(page: Page): Promise<string> {
  const serverId = await openServer(page)
  await expect.poll(() => statusOfServer(page, serverId), { timeout: 120_000 }).toBe('running')
  return serverId
}

const withIds = async (page: Page, paths: readonly string[], serverId: string) => {
  const ticketId = await openTicket(page)
  return paths.map((path) => path.replace('{server}', serverId).replace('{ticket}', ticketId))
}

test('nothing moves while a screen of visitors loads', async ({ page }) => {
  test.setTimeout(600_000)
  await loadEach(
    page,
    screensOf('visitor').map((path) => `/hu${path}`),
    'visitor',
  )
})

test('nothing moves while a screen of customers loads', async ({ page }) => {
  test.setTimeout(600_000)
  const serverId = await runningServer(page)
  await loadEach(page, await withIds(page, screensOf('customer'), serverId), 'customer')
})

test('nothing moves on the way from one screen of customers to the next', async ({ page }) => {
  test.setTimeout(600_000)
  const serverId = await runningServer(page)
  // The page of the card is entered by a full load.
  const paths = screensOf('customer').filter((path) => !path.endsWith('/card'))
  await walk(page, await withIds(page, paths, serverId), 'customer')
})

test('nothing moves while a screen of a newcomer loads', async ({ page }) => {
  test.setTimeout(600_000)
  await arrive(page)
  await loadEach(page, screensOf('newcomer'), 'newcomer')
})

test("nothing moves while a screen of the administrator's loads", async ({ page, browser, demo }) => {
  test.setTimeout(600_000)
  const customer = await otherPage(browser, demo.url)
  await arrive(customer)
  const ticketId = await openTicket(customer)
  await customer.context().close()
  await signInByApi(page, demo.admin)
  await loadEach(page, await staffScreens(page, ticketId), 'administrator')
})
