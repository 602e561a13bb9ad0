import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { flick } from '../support/flick.ts'
import { arrive, orderBot, rentByApi, signInByApi } from '../support/journey.ts'
import { listedId, listedServer, standInForGateway, standInForList } from '../support/listed-servers.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const rows = (page: Page) => page.locator('.sv-row[data-server]')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const names = (page: Page) => rows(page).locator('.nm').allTextContents()
const grip = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}` })
const section = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name} `) })
const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Three servers of one owner whose states differ. */
const openList = async (page: Page, count = 3, held: { players?: Promise<void> } = {}) => {
  const servers = Array.from({ length: count }, (_, at) =>
    listedServer(at, { name: `Alpha ${at}`, expiry: inDays(20) }),
  )
  const seen = await standInForList(page, servers, held)
  await page.goto('/en/dashboard/servers')
  await expect(rows(page)).toHaveCount(count)
  return seen
}

test('the order is changed by drag and by key, survives another browser, and three servers are stopped with an answer each', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(300_000)
  const customer = await rentByApi(page, 'First')
  await orderBot(page, 'Second')
  await orderBot(page, 'Third')
  await page.goto('/en/dashboard/servers')
  await expect.poll(() => names(page)).toEqual(['Third', 'Second', 'First'])
  for (const name of ['First', 'Second', 'Third']) {
    await expect(row(page, name).locator('.lamp').first()).toHaveText('Running', { timeout: 90_000 })
  }
  expect(await violations(page)).toEqual([])

  // By mouse: the third row above the first.
  const target = await row(page, 'Third').boundingBox()
  const from = await grip(page, 'First').boundingBox()
  if (!target || !from) throw new Error('The rows are not on the screen.')
  await page.mouse.move(from.x + 5, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(target.x + 200, target.y + 30, { steps: 6 })
  await page.mouse.move(target.x + 200, target.y + 6)
  await expect(page.locator('.drag-line')).toBeVisible()
  // Nothing moves until the row is let go.
  expect(await names(page)).toEqual(['Third', 'Second', 'First'])
  await page.mouse.up()
  await expect.poll(() => names(page)).toEqual(['First', 'Third', 'Second'])

  // By key alone: a group, and the order.
  await tabTo(page, 'button', /^Move First$/)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => names(page)).toEqual(['Third', 'First', 'Second'])
  await expect(grip(page, 'First')).toBeFocused()
  await expect(page.getByText('First: 2 of 3 in “No group”')).toBeAttached()
  await tabTo(page, 'button', /^Actions for First$/)
  await page.keyboard.press('Enter')
  expect(await violations(page)).toEqual([])
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByLabel('Group name').fill('Community')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(section(page, 'Community').getByRole('link', { name: 'First' })).toBeVisible()
  await expect.poll(() => names(page)).toEqual(['First', 'Third', 'Second'])

  // Another browser of the same person has order and group.
  const other = await (await browser.newContext({ baseURL: demo.url, viewport: PHONE, hasTouch: true })).newPage()
  await other.goto('/en')
  await signInByApi(other, customer)
  await other.goto('/en/dashboard/servers')
  await expect.poll(() => names(other)).toEqual(['First', 'Third', 'Second'])
  expect(await violations(other)).toEqual([])
  expect(await widest(other)).toBeLessThanOrEqual(PHONE.width)
  await other.context().close()

  // One of three is stopped already: its row says why, and it stays selected.
  await row(page, 'Third').getByRole('button', { name: 'Stop: Third' }).click()
  await expect(row(page, 'Third').locator('.lamp').first()).toHaveText('Stopped', { timeout: 60_000 })
  await page.getByLabel('Select all').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Stop' }).click()
  await expect(page.locator('dialog[open]')).toContainText('Stop 3 servers?')
  expect(await violations(page)).toEqual([])
  await page.locator('dialog[open]').getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Action sent to 2 of 3 servers.')).toBeVisible()
  await expect(row(page, 'Third').locator('.sv-note.is-failed')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await expect(row(page, 'Third').getByRole('checkbox')).toBeChecked()
  await expect(row(page, 'First').getByRole('checkbox')).not.toBeChecked()
  for (const name of ['First', 'Second']) {
    await expect(row(page, name).locator('.lamp').first()).toHaveText('Stopped', { timeout: 60_000 })
  }
})

test('filter, order and game are in the address, and keys move, select and start', async ({ page }) => {
  await page.goto('/en')
  await arrive(page)
  const servers = [
    listedServer(1, { name: 'Zulu', status: 'running', expiry: inDays(2) }),
    listedServer(2, {
      name: 'Alpha',
      status: 'offline',
      expiry: inDays(20),
      owner: { id: listedId(999), username: 'otto' },
    }),
    listedServer(3, { name: 'Mike', status: 'crashed', expiry: inDays(20) }),
  ]
  await standInForList(page, servers)
  const started: string[] = []
  await page.route('**/api/server/*/power', (route) => {
    started.push(route.request().url())
    return route.fulfill({ status: 202, json: { accepted: true, commandId: listedId(77) } })
  })
  await page.goto('/en/dashboard/servers?sort=name&q=server')
  await expect(page.getByText('No matching servers.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('searchbox', { name: 'Filter servers' }).fill('')
  await expect.poll(() => names(page)).toEqual(['Alpha', 'Mike', 'Zulu'])
  await expect(row(page, 'Alpha')).toContainText('Shared by otto')
  const watch = page.getByRole('region', { name: 'Needs attention' })
  await expect(watch).toContainText('Mike Stopped unexpectedly')
  await watch.getByRole('button', { name: '1 more' }).click()
  await expect(watch.getByRole('listitem').nth(1)).toContainText('Zulu')
  await page.getByRole('button', { name: 'Needs attention 2' }).click()
  await page.getByLabel('Sort by').selectOption({ label: 'Days left' })
  await expect.poll(() => names(page)).toEqual(['Zulu', 'Mike'])
  await page.reload()
  await expect.poll(() => names(page)).toEqual(['Zulu', 'Mike'])
  await expect(page).toHaveURL(/show=attention/)

  await page.locator('body').press('j')
  await expect(row(page, 'Zulu').getByRole('link', { name: 'Zulu' })).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(row(page, 'Mike').getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('s')
  await expect(row(page, 'Mike')).toContainText('Start sent')
  expect(started).toHaveLength(1)
  await page.keyboard.press('/')
  await page.keyboard.type('sjx')
  await expect(page.getByRole('searchbox', { name: 'Filter servers' })).toHaveValue('sjx')
  expect(started).toHaveLength(1)
})

test('states arrive by the gateway without another read of the list, and no row moves under the pointer', async ({
  page,
}) => {
  await page.goto('/en')
  await arrive(page)
  const gateway = await standInForGateway(page)
  const seen = await openList(page, 4)
  await page.getByLabel('Sort by').selectOption({ label: 'Status' })
  // The choice goes by way of the address: the list before it is another one.
  const before = ['Alpha 0', 'Alpha 2', 'Alpha 3', 'Alpha 1']
  await expect.poll(() => names(page)).toEqual(before)
  await expect.poll(() => gateway.isOpen()).toBe(true)
  const { reads } = seen
  for (let event = 0; event < 50; event += 1) gateway.state(listedId(event % 4), event < 46 ? 'starting' : 'running')
  gateway.state(listedId(3), 'crashed')
  await expect(row(page, 'Alpha 3').locator('.lamp').first()).toHaveText('Crashed')
  await expect(row(page, 'Alpha 2').locator('.lamp').first()).toHaveText('Running')
  expect(await names(page)).toEqual(before)
  expect(seen.reads).toBe(reads)
  await page.getByRole('button', { name: 'Update the list' }).click()
  await expect.poll(() => names(page)).toEqual(['Alpha 3', 'Alpha 0', 'Alpha 1', 'Alpha 2'])
})

for (const viewport of [{ width: 1_440, height: 900 }, PHONE]) {
  test(`the players arrive in their place beside each server, ${viewport.width} wide`, async ({ page }) => {
    await arrive(page)
    await page.setViewportSize(viewport)
    let answerPlayers = () => {}
    const seen = await openList(page, 3, { players: new Promise<void>((done) => (answerPlayers = done)) })
    const places = () =>
      rows(page).evaluateAll((all) => all.map((each) => JSON.stringify(each.getBoundingClientRect())))
    const before = await places()
    seen.players = [
      { serverId: listedId(0), now: { online: 12, max: 40 }, hours: Array.from({ length: 24 }, (_, at) => at) },
      { serverId: listedId(1), now: null, hours: Array.from({ length: 24 }, () => null) },
    ]
    answerPlayers()
    await expect(row(page, 'Alpha 0').locator('.sv-count')).toHaveText('12 / 40')
    await expect(row(page, 'Alpha 0')).toContainText(
      '12 of 40 players are online. At most 23 players in the last 24 hours.',
    )
    await expect(row(page, 'Alpha 1').locator('.sv-count')).toHaveText('–')
    await expect(row(page, 'Alpha 2').locator('.sv-players')).toHaveCount(0)
    expect(await places()).toEqual(before)
    expect(await widest(page)).toBe(viewport.width)
    expect(await violations(page)).toEqual([])
  })
}

test('a name is selected with the mouse, and an order that does not load is said', async ({ page, expectedErrors }) => {
  expectedErrors.push(/503|500/)
  await page.goto('/en')
  await arrive(page)
  // Narrower, the list leaves out the games.
  await page.setViewportSize({ width: 1440, height: 900 })
  await openList(page)
  const game = row(page, 'Alpha 1').locator('.gm span').first()
  await game.dblclick({ position: { x: 8, y: 10 } })
  expect(await page.evaluate(() => window.getSelection()?.toString().trim())).toBe('arma')
  await page.route('**/api/user/server-layout', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByText("Your order and groups didn't load.")).toBeVisible()
  await expect(rows(page)).toHaveCount(3)
  await expect(grip(page, 'Alpha 1')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
})

test.describe('with a finger', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true })

  test('a held row is moved, a flick scrolls', async ({ page }) => {
    await page.goto('/en')
    await arrive(page)
    const seen = await openList(page, 12)
    expect(await violations(page)).toEqual([])
    expect(await widest(page)).toBeLessThanOrEqual(PHONE.width)
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    const before = await names(page)
    const [first, second] = [await rows(page).nth(0).boundingBox(), await rows(page).nth(1).boundingBox()]
    if (!first || !second) throw new Error('The rows are not on the screen.')
    const at = { x: first.x + 110, y: first.y + first.height / 2 }

    // A flick: the page moves, no row does.
    await flick(page, { ...at, upPx: 160 })
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50)
    expect(await names(page)).toEqual(before)
    // A flick goes on after the finger: the page is back only when it stays there.
    const placeBefore = () =>
      page.evaluate(() => {
        const { scrollY } = window
        window.scrollTo({ top: 0, behavior: 'instant' })
        return scrollY
      })
    await expect.poll(placeBefore).toBe(0)

    // Held: the row is lifted, the page stays.
    await touch('touchStart', at)
    await expect(page.locator('.drag-ghost')).toHaveText('Alpha 0')
    await touch('touchMove', { x: at.x, y: second.y + second.height - 12 })
    await touch('touchMove', { x: at.x, y: second.y + second.height - 10 })
    await touch('touchEnd')
    await expect.poll(() => names(page)).toEqual([before[1], before[0], ...before.slice(2)])
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    expect(seen.layout.loose.slice(0, 2)).toEqual([listedId(1), listedId(0)])
    await expect(page).toHaveURL(/\/dashboard\/servers$/)
  })
})
