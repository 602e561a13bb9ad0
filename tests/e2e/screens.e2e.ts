import type { Page } from '@playwright/test'

import { Balance } from '../../src/contracts/http/balance.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { keepSession, openServer } from '../support/console-page.ts'
import { openTicket } from '../support/open-ticket.ts'
import { screensOf } from '../support/screens.ts'
import { sliceOf } from '../support/slice.ts'
import { expect, test } from './test.ts'

// The longest file: where there are several workers, its tests go to whichever is free.
test.describe.configure({ mode: 'parallel' })
test.afterEach(({ page }) => keepSession(page))

const LANGUAGES = ['en', 'hu', 'de'] as const
const NARROW = { width: 390, height: 844 }
const WIDTHS = [{ width: 1440, height: 900 }, NARROW]
const NARROWEST_PX = 320

const ofDashboard = screensOf('customer').filter((path) => path.startsWith('/dashboard/'))
const withTicket = (id: string) => ofDashboard.map((path) => path.replace('{ticket}', id))

/** axe finds nothing at both widths, and nothing is wider than the narrowest phone. */
async function check(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('.skel')).toHaveCount(0)
  for (const size of WIDTHS) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `${path} at ${size.width}`).toEqual([])
  }
  await page.setViewportSize({ width: NARROWEST_PX, height: 640 })
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(widest, `${path} scrolls sideways at ${NARROWEST_PX}`).toBeLessThanOrEqual(NARROWEST_PX)
}

for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
  test(`signed-in screens in ${language}`, async ({ page, demo, context }) => {
    test.setTimeout(600_000)
    const serverId = await openServer(page)
    const ticketId = await openTicket(page)
    await context.addCookies([{ name: 'i18n', value: language, url: demo.url }])
    const paths = [...withTicket(ticketId), '/auth/verify', `/panel/${serverId}/console`, `/panel/${serverId}/settings`]
    // A run takes half of them, in turn.
    for (const path of sliceOf(paths, 2)) {
      await check(page, path)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    }
  })
}

test('a name without a gap, a long address and a great sum leave no page wider than a phone', async ({ page }) => {
  const serverId = await openServer(page)
  const server = {
    ...Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json()),
    name: 'W'.repeat(48),
    ip: 'a-long-name-of-a-machine.example.com',
    monthlyPriceFt: 987_654_321,
  }
  const read = async () => Balance.safeParse(await (await page.request.get('/api/balance')).json()).data
  // An order that is still delivered renews nothing yet.
  await expect.poll(async () => (await read())?.renewing?.length, { timeout: 120_000 }).toBe(1)
  const balance = await read()
  const renewing = balance?.renewing?.map((row) => ({
    ...row,
    name: server.name,
    monthlyPriceFt: server.monthlyPriceFt,
  }))
  await page.route('**/api/balance', (route) => route.fulfill({ json: { ...balance, renewing } }))
  await page.route('**/api/user/servers', (route) => route.fulfill({ json: [server] }))
  await page.route(`**/api/server/${serverId}`, (route) => route.fulfill({ json: server }))
  await page.setViewportSize({ width: NARROWEST_PX, height: 640 })
  for (const path of [
    '/dashboard/summary',
    '/dashboard/servers',
    '/dashboard/balance/summary',
    `/panel/${serverId}/console`,
    `/panel/${serverId}/settings`,
  ]) {
    await page.goto(path)
    await expect(page.getByText(server.name).first()).toBeAttached()
    await expect(page.locator('.skel')).toHaveCount(0)
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(widest, `${path} scrolls sideways`).toBeLessThanOrEqual(NARROWEST_PX)
  }
})

test('screens that are still loading', async ({ page, demo, context }) => {
  test.setTimeout(480_000)
  const serverId = await openServer(page)
  const ticketId = await openTicket(page)
  await page.route(/\/api\/(?!auth\/)/, () => new Promise<void>(() => {}))
  const paths = [...withTicket(ticketId), `/panel/${serverId}/console`, `/panel/${serverId}/settings`]
  for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
    await context.addCookies([{ name: 'i18n', value: language, url: demo.url }])
    const each = paths.map((path, index) => ({ path, size: WIDTHS[index % WIDTHS.length] ?? NARROW }))
    for (const { path, size } of sliceOf(each, 2)) {
      await page.setViewportSize(size)
      await page.goto(path)
      await expect(page.locator('main')).toBeVisible()
      expect.soft(await violations(page), `${path} at ${size.width}, ${language}`).toEqual([])
    }
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** The answer of each list of the dashboard when there is nothing in it. */
const NOTHING: readonly (readonly [path: string, answer: unknown])[] = [
  ['**/api/user/servers', []],
  ['**/api/user/notifications?*', []],
  ['**/api/user/activities*', []],
  ['**/api/services', []],
  ['**/api/balance/transactions*', { items: [], next: null }],
  ['**/api/balance/invoices*', { items: [], next: null }],
  ['**/api/ticket/all*', []],
]
const LISTS = [
  ...NOTHING.map(([path]) => path),
  '**/api/balance',
  '**/api/spin',
  '**/api/user/sessions',
  '**/api/user/notifications/settings',
  '**/api/user/second-factor',
]
const WITH_LISTS = [
  '/dashboard/summary',
  '/dashboard/services/game',
  '/dashboard/servers',
  '/dashboard/balance/summary',
  '/dashboard/balance/invoices',
  '/dashboard/settings',
  '/dashboard/settings/security',
  '/dashboard/settings/notifications',
  '/dashboard/activities',
  '/dashboard/spin',
  '/dashboard/tickets',
] as const

test('signed-in screens with nothing in them, and with lists that fail; the menus of the frame', async ({
  page,
  demo,
  context,
  expectedErrors,
}) => {
  test.setTimeout(600_000)
  expectedErrors.push(/status of 503/)
  const serverId = await openServer(page)
  // The words differ, the marks do not: a run takes one language and half of the pages, in turn.
  const pages = sliceOf(WITH_LISTS, 2)
  for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
    await context.addCookies([{ name: 'i18n', value: language, url: demo.url }])
    for (const [path, answer] of NOTHING) await page.route(path, (route) => route.fulfill({ json: answer }))
    for (const path of pages) await check(page, path)
    for (const path of LISTS) await page.route(path, (route) => route.fulfill({ status: 503, json: {} }))
    for (const path of pages) {
      await check(page, path)
      await expect(page.locator('main')).toBeVisible()
    }
    for (const size of WIDTHS) {
      await page.setViewportSize(size)
      await page.locator('.me').click()
      await expect(page.locator('#account-menu')).toBeVisible()
      expect.soft(await violations(page), `account menu, ${language}, ${size.width}`).toEqual([])
      await page.keyboard.press('Escape')
    }
    await page.locator('.bottom-stop').last().click()
    await expect(page.locator('dialog.sheetnav')).toBeVisible()
    expect.soft(await violations(page), `menu of the phone, ${language}`).toEqual([])
    for (const path of LISTS) await page.unroute(path)
    await page.goto(`/panel/${serverId}/console`)
    await page.locator('.bottom-stop').last().click()
    const menu = page.locator('dialog.sheetnav')
    for (const place of [`/panel/${serverId}/settings`, '/dashboard/summary', '/dashboard/settings'])
      await expect(menu.locator(`a[href$="${place}"]`), 'a panel has no other menu on a phone').toBeVisible()
    await expect(menu.locator('a[aria-current]')).toHaveCount(1)
    expect.soft(await violations(page), `menu of the panel on a phone, ${language}`).toEqual([])
  }
})
