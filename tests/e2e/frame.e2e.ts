import type { Page } from '@playwright/test'

import type { Notification } from '../../src/contracts/http/notification.ts'
import type { Server } from '../../src/contracts/http/server.ts'
import { answerWithinMs } from '../../src/lib/realtime/shared-link.ts'
import { violations } from '../support/axe.ts'
import { signInByApi, topUp } from '../support/journey.ts'
import { openSearch } from '../support/open-search.ts'
import { sliceOf } from '../support/slice.ts'
import { shownServer } from '../factories/shown-server.ts'
import { expect, test } from './test.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const LANGUAGES = ['en', 'hu', 'de'] as const

const SERVER_ID = '019a0000-0000-7000-8000-0000000000aa'
const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
const notice = (order: number, facts: Partial<Notification>): Notification => ({
  id: `019a0000-0000-7000-8000-${String(1_000 - order).padStart(12, '0')}`,
  text: 'server.installed',
  data: { sid: SERVER_ID, name: 'Szigetvár' },
  createdAt: at(order),
  userId: '019a0000-0000-7000-8000-0000000000ff',
  readAt: null,
  ...facts,
})

/** A list with every key, the two newest unread; the older ones are of last week. */
const notices = [
  notice(1, { text: 'server.crashed' }),
  notice(2, { text: 'purchase.success', data: { sid: SERVER_ID, product: 'Minecraft, Large' } }),
  ...(
    [
      ['server.installed', { sid: SERVER_ID, name: 'Szigetvár' }],
      ['topup.successful', { amount: 10_000 }],
      ['topup.failed', { amount: 5_000 }],
      ['server.expired', { sid: '019a0000-0000-7000-8000-0000000000bb', name: 'Nyári tábor' }],
      ['order.failed', { product: 'Arma', amount: 1_500 }],
    ] as const
  ).map(([text, data], index) =>
    notice(10_000 + index, { text, data, readAt: at(9_000), id: `019a0000-0000-7000-8000-00000000010${9 - index}` }),
  ),
]

/** The page's lists as the test wants them; what is marked as read is noted. */
async function showLists(page: Page, lists: { notices?: readonly Notification[]; servers?: readonly Server[] }) {
  const read: unknown[] = []
  await page.route('**/api/user/notifications?*', (route) => route.fulfill({ json: lists.notices ?? [] }))
  await page.route('**/api/user/notifications/read', async (route) => {
    read.push(route.request().postDataJSON())
    await route.fulfill({ json: {} })
  })
  if (lists.servers) await page.route('**/api/user/servers', (route) => route.fulfill({ json: lists.servers }))
  return read
}

const server = (name: string, facts: Partial<Server> = {}): Server =>
  shownServer({
    id: SERVER_ID,
    name,
    owner: { id: '019a0000-0000-7000-8000-0000000000ff', username: 'demo' },
    computer: { name: 'bud-1', url: 'http://node.example.com', proxmox_url: null },
    status: 'running',
    expiry: at(-40_000),
    ip: '203.0.113.9',
    port: 22_003,
    serviceName: 'Minecraft',
    createdAt: at(50_000),
    ...facts,
  })
const servers = [
  server('Szigetvár', { status: 'crashed' }),
  server('Túlélő szerver', { id: '019a0000-0000-7000-8000-0000000000ab' }),
  server('web-01', { id: '019a0000-0000-7000-8000-0000000000ac', status: 'offline' }),
]

const bell = (page: Page) => page.locator('.bell > button')
const list = (page: Page) => page.locator('#bell-list')
const account = (page: Page) => page.locator('#account-menu')
const searchInput = (page: Page) => page.locator('.pal').getByRole('combobox')
const options = (page: Page) => page.locator('.pal').getByRole('option')
const selected = (page: Page) => page.locator('[role=option][aria-selected=true]')

/** Opens the page and waits until its script listens to keys. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('.skel')).toHaveCount(0)
}

test('one link for all tabs: a notification rings in each, and what is read in one is read in the other', async ({
  page,
  context,
  demo,
}) => {
  const sockets = { first: 0, second: 0 }
  page.on('websocket', (socket) => (sockets.first += Number(socket.url().includes('/api/ws/gateway'))))
  await signInByApi(page, demo.customer)
  await page.goto('/dashboard/summary')
  await expect(page.locator('.conn')).toBeEmpty()
  await expect.poll(() => sockets.first).toBe(1)
  const other = await context.newPage()
  // A page whose holder does not answer in time opens a link of its own: a slow machine makes no holder that hangs.
  await other.addInitScript((withinMs) => {
    const set = Reflect.get(window, 'setTimeout') as (...given: unknown[]) => number
    const patient = (run: unknown, ms?: number, ...rest: unknown[]) => set(run, ms === withinMs ? 20 * ms : ms, ...rest)
    Object.defineProperty(window, 'setTimeout', { value: patient, writable: true, configurable: true })
  }, answerWithinMs)
  other.on('websocket', (socket) => (sockets.second += Number(socket.url().includes('/api/ws/gateway'))))
  await topUp(other, 500)

  await expect(bell(page)).toHaveAccessibleName(/unread/)
  await expect(bell(other)).toHaveAccessibleName(/unread/)
  expect(sockets).toEqual({ first: 1, second: 0 })
  await bell(page).focus()
  await page.keyboard.press('Enter')
  const newest = list(page).getByRole('listitem').first()
  await expect(newest).toContainText('Top-up arrived')
  await expect(newest).toContainText(/500.* was added to your balance/)
  await expect(newest).toContainText('new')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await expect(bell(other)).toHaveAccessibleName('Notifications')

  await page.close()
  await expect.poll(() => sockets.second, 'the other tab takes the link over').toBe(1)
  await expect(other.locator('.conn')).toBeEmpty()
  await topUp(other, 500)
  await expect(bell(other)).toHaveAccessibleName(/unread/)
})

test('the bell: its measure, its links, one menu at a time, and three ways to close it', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  const read = await showLists(page, { notices, servers })
  await openPage(page, '/dashboard/summary')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')
  await bell(page).click()
  const region = page.getByRole('region', { name: 'Notification list' })
  await expect(region.getByRole('listitem')).toHaveCount(notices.length)
  await expect(region.getByRole('listitem').first()).toContainText('Server crashed and stays stopped')
  expect(await region.locator('b').allInnerTexts()).toEqual([
    'Server crashed and stays stopped',
    'Order complete',
    'Server ready',
    'Top-up arrived',
    'Top-up failed',
    'Server expired',
    'Order failed',
  ])
  await expect.poll(() => read).toEqual([{ upTo: notices[0]?.id }])
  const hrefs = await region.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const consolePage = `/panel/${SERVER_ID}/console`
  const balance = '/dashboard/balance/summary'
  expect(hrefs).toEqual([consolePage, consolePage, consolePage, balance, balance, balance])

  const ways = list(page).locator('.nt-f').getByRole('link')
  await expect(ways).toHaveText(['All activities', 'Notification settings'])
  await expect(ways.first()).toHaveAttribute('href', '/dashboard/activities')
  await expect(ways.last()).toHaveAttribute('href', '/dashboard/settings/notifications')

  const [panel, inside] = [await list(page).boundingBox(), await region.boundingBox()]
  expect(panel?.width).toBe(400)
  const height = page.viewportSize()?.height ?? 0
  expect(panel?.height).toBeLessThanOrEqual(height * 0.65)
  expect(inside?.height).toBeLessThanOrEqual(height * 0.4)

  await page.getByRole('button', { name: /account: / }).click()
  await expect(list(page)).toBeHidden()
  await expect(account(page)).toBeVisible()
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(account(page)).toBeHidden()
  await expect(list(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(bell(page)).toBeFocused()
  await bell(page).click()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(list(page)).toBeHidden()
  await bell(page).click()
  await region.getByRole('link').nth(3).click()
  await expect(page).toHaveURL(/\/dashboard\/balance\/summary$/)
  await expect(list(page)).toBeHidden()
})

test('search by keyboard: Alt+Q, groups, arrows that wrap, Enter, Escape and the backdrop', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  await showLists(page, { servers })
  await page.route('**/api/ticket/all?*', (route) => route.fulfill({ json: [] }))
  await openPage(page, '/dashboard/servers')
  await openSearch(page)
  await expect(searchInput(page)).toBeFocused()
  await expect(page.getByText('Start typing')).toBeVisible()
  await page.keyboard.type('S')
  await expect(page.getByRole('group', { name: 'Servers' }).getByRole('option')).toHaveCount(2)
  await expect(page.getByRole('group', { name: 'Menu' }).getByRole('option').first()).toContainText('Summary')
  await expect(page.getByRole('group', { name: 'Tickets' })).toHaveCount(0)
  await expect(selected(page)).toContainText('Szigetvár')
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toContainText('Szigetvár')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('túl')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('balan')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/balance\/summary$/)
  await expect(searchInput(page)).toHaveCount(0)

  const find = page.getByRole('button', { name: /^Search/ })
  await find.focus()
  await page.keyboard.press('Enter')
  await expect(searchInput(page)).toBeFocused()
  await page.keyboard.type('no such thing')
  await expect(page.getByText('No results for “no such thing”.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(searchInput(page)).toHaveCount(0)
  await expect(find).toBeFocused()
  await page.keyboard.press('Alt+q')
  // Quick fingers: the end of one search never takes the next one along.
  for (let again = 0; again < 8; again += 1) {
    await expect(searchInput(page)).toBeFocused()
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Alt+q')])
  }
  await expect(searchInput(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(searchInput(page)).toHaveCount(0)
  await find.click()
  await expect(searchInput(page)).toBeFocused()
  await page.mouse.click(5, 5)
  await expect(searchInput(page)).toHaveCount(0)
})

test('no shortcut takes a key from what is being written, nor AltGr+Q from its writer', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  await openPage(page, '/dashboard/balance/summary')
  await page.getByLabel('Amount', { exact: true }).focus()
  await page.keyboard.press('Alt+q')
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Control+Alt+q')
  await page.locator('main').focus()
  await page.keyboard.press('Control+Alt+q')
  await page.keyboard.press('AltGraph+q')
  await expect(searchInput(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard\/balance\/summary$/)
  await page.keyboard.press('Alt+q')
  await expect(searchInput(page)).toBeVisible()
})

test('Alt with the arrows walks the menu, past its end nothing happens; links that leave say so', async ({
  page,
  demo,
}) => {
  await signInByApi(page, demo.customer)
  await openPage(page, '/dashboard/summary')
  await page.keyboard.press('Alt+ArrowUp')
  for (const place of ['services', 'servers', 'tickets', 'balance/summary']) {
    await page.keyboard.press('Alt+ArrowDown')
    await expect(page).toHaveURL(new RegExp(`/dashboard/${place}$`))
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  }
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page).toHaveURL(/\/dashboard\/tickets$/)
  await openPage(page, '/dashboard/services/vps')
  const menu = page.getByRole('navigation', { name: 'Main menu' }).filter({ visible: true })
  await expect(menu.locator('[aria-current=page]')).toHaveText('VPS')
  const help = menu.getByRole('link', { name: 'Help (opens in a new tab)' })
  await expect(help).toHaveAttribute('rel', 'noopener')
  await expect(help).toHaveAttribute('target', '_blank')
  await expect(help).toHaveAttribute('href', /^http.*#footer$/)
  const opened = page.waitForEvent('popup')
  await help.click()
  await expect((await opened).locator('#footer')).toBeVisible()
})

test('axe finds nothing in the bell and the search, full, empty or failed, in each language at two widths', async ({
  page,
  context,
  demo,
  expectedErrors,
}) => {
  test.setTimeout(300_000)
  expectedErrors.push(/status of 503/)
  await signInByApi(page, demo.customer)
  const shown: { notices: readonly Notification[]; servers: readonly Server[]; fails: boolean } = {
    notices,
    servers,
    fails: false,
  }
  await page.route('**/api/user/notifications?*', (route) =>
    shown.fails ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ json: shown.notices }),
  )
  await page.route('**/api/user/notifications/read', (route) => route.fulfill({ json: {} }))
  await page.route('**/api/user/servers', (route) => route.fulfill({ json: shown.servers }))
  for (const language of sliceOf(LANGUAGES, LANGUAGES.length)) {
    await context.addCookies([{ name: 'i18n', value: language, url: demo.url }])
    for (const state of ['full', 'empty', 'failed'] as const) {
      shown.notices = state === 'full' ? notices : []
      shown.fails = state === 'failed'
      await openPage(page, '/dashboard/summary')
      for (const size of SIZES) {
        await page.setViewportSize(size)
        await bell(page).click()
        await expect(
          list(page)
            .locator(state === 'full' ? 'li' : '.empty')
            .first(),
        ).toBeVisible()
        expect.soft(await violations(page), `bell, ${state}, ${language}, ${size.width}`).toEqual([])
        await page.keyboard.press('Escape')
        if (state === 'failed') continue
        await page.locator('.seek').click()
        await expect(searchInput(page)).toBeFocused()
        if (state === 'full') await page.keyboard.type('s')
        await expect(page.locator(state === 'full' ? '[role=option]' : '.pal-none').first()).toBeVisible()
        expect.soft(await violations(page), `search, ${state}, ${language}, ${size.width}`).toEqual([])
        await page.keyboard.press('Escape')
      }
    }
  }
})

test('popular servers, partner and premium stand in the frame; the way to the administration only for administrators', async ({
  page,
  demo,
  browser,
}) => {
  await signInByApi(page, demo.customer)
  const side = page.locator('.side')
  for (const path of ['/dashboard/summary', '/dashboard/servers']) {
    await openPage(page, path)
    const chips = side.getByRole('region', { name: 'Popular servers' }).getByRole('link')
    await expect(chips).toHaveCount(5)
    for (const chip of await chips.all()) await expect(chip).toHaveAttribute('href', '/dashboard/services/game')
    const partner = side.getByRole('link', { name: /\(opens in a new tab\)$/ }).last()
    await expect(partner).toHaveAttribute('target', '_blank')
    await expect(partner).toHaveAttribute('rel', 'noopener')
    await expect(partner).toHaveAttribute('href', /^https:/)
  }
  await page.getByRole('link', { name: 'Premium', exact: true }).filter({ visible: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/premium$/)
  await expect(page.getByRole('heading', { name: 'Ultimus' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Administration' })).toHaveCount(0)

  const staff = await browser.newContext({ baseURL: demo.url, viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  const phone = await staff.newPage()
  await signInByApi(phone, demo.admin)
  await phone.goto('/dashboard/summary')
  const shield = phone.locator('.top-main > a[href="/admin/overview"]')
  await expect(shield).toBeVisible()
  await expect(shield).toHaveAccessibleName('Administration')
  const widest = await phone.evaluate(() => document.documentElement.scrollWidth)
  expect(widest).toBeLessThanOrEqual(390)
  await phone.setViewportSize({ width: 1440, height: 900 })
  await expect(shield).toBeHidden()
  await phone.getByRole('button', { name: /account: / }).click()
  await expect(phone.locator('#account-menu').getByRole('link', { name: 'Administration' })).toBeVisible()
  await phone.locator('#account-menu').getByRole('link', { name: 'Administration' }).click()
  await expect(phone).toHaveURL(/\/admin\/overview$/)
  await expect(phone.getByRole('heading', { name: 'People' })).toBeVisible()
  await expect(phone.getByText('Popular servers')).toHaveCount(0)
  await staff.close()
})

test('a page that takes long shows a bar while it is on its way', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  let release = (): void => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/dashboard/activities*', async (route) => {
    await held
    await route.fallback()
  })
  // Here so that fetching ahead is held as well.
  await openPage(page, '/dashboard/summary')
  await page.getByRole('link', { name: 'Activities' }).first().click()
  await expect(page.locator('.nav-bar')).toBeVisible()
  release()
  await expect(page).toHaveURL(/\/dashboard\/activities$/)
  await expect(page.locator('.nav-bar')).toHaveCount(0)
})
