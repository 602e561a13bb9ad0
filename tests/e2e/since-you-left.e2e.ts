import pg from 'pg'
import type { Browser, BrowserContext, Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { environmentOf, programOf } from '../support/demo-processes.ts'
import { arrive, rentByApi } from '../support/journey.ts'
import { recordShifts, settled, shiftsOf, slowAnswers } from '../support/layout-shifts.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const card = (page: Page) => page.getByRole('region', { name: 'Since you left' })
const line = (page: Page, words: string | RegExp) => card(page).getByRole('listitem').filter({ hasText: words })
const isRunning = (page: Page) =>
  expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 90_000 })

/** As if everybody had last looked at the server an hour earlier than they did, and all of this had happened since. */
const anHourPasses = async (dataDir: string, serverId: string): Promise<void> => {
  const { DATABASE_URL } = environmentOf(programOf(dataDir, 'control-plane'))
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `update control.server_visits set seen_at = seen_at - interval '1 hour' where server_id = $1`,
      [serverId],
    )
    expect(rowCount).toBeGreaterThan(0)
  } finally {
    await client.end()
  }
}

/** A collaborator in a browser of their own, who has accepted. */
const collaborator = async (
  owner: Page,
  browser: Browser,
  facts: { serverId: string; permissions: string[]; url: string },
) => {
  const context = await browser.newContext({ baseURL: facts.url, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/en')
  const { username } = await arrive(page)
  const { origin } = new URL(page.url())
  const invited = await owner.request.post(`/api/server/${facts.serverId}/users`, {
    headers: { origin },
    data: { email: `${username}@example.com`, permissions: facts.permissions },
  })
  expect(invited.status(), await invited.text()).toBe(201)
  const accepted = await page.request.post(`/api/user/invitations/${facts.serverId}/accept`, {
    headers: { origin },
    data: {},
  })
  expect(accepted.status(), await accepted.text()).toBe(200)
  return { context, page, username, origin }
}

/** Opens the console with late answers, and expects that nothing moved although the card came. */
const comesBack = async (page: Page, serverId: string): Promise<void> => {
  await recordShifts(page)
  const awaited = await slowAnswers(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(card(page)).toBeVisible({ timeout: 60_000 })
  await settled(page, awaited)
  const { sum, moved } = await shiftsOf(page)
  expect(sum, moved.join('\n')).toBeLessThanOrEqual(0.02)
  expect(moved.filter((what) => /since|\.log|section\.con|con-tools|\.cmd/.test(what))).toEqual([])
}

const leaves = async (context: BrowserContext, page: Page): Promise<Page> => {
  await page.close()
  return context.newPage()
}

test('an owner who comes back sees what others did meanwhile, and closes it by keyboard; nothing moves', async ({
  page,
  context,
  browser,
  demo,
  dataDir,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await isRunning(page)
  await expect(card(page)).toHaveCount(0)
  const permissions = ['console.read', 'control.start', 'control.stop', 'control.restart', 'file.list', 'file.create']
  const friend = await collaborator(page, browser, { serverId, permissions, url: demo.url })
  const reader = await collaborator(page, browser, { serverId, permissions: ['console.read'], url: demo.url })
  await reader.page.goto(`/en/panel/${serverId}/console`)
  await isRunning(reader.page)
  await expect(card(reader.page)).toHaveCount(0)
  const [away, readerAway] = [await leaves(context, page), await leaves(reader.context, reader.page)]
  await anHourPasses(dataDir, serverId)

  await friend.page.goto(`/en/panel/${serverId}/files`)
  await friend.page.getByRole('button', { name: 'New file' }).click()
  await friend.page.getByRole('dialog').getByLabel('Name').fill('motd.txt')
  await friend.page.getByRole('dialog').getByRole('button', { name: 'Create file' }).click()
  await expect(friend.page.getByRole('row').filter({ hasText: 'motd.txt' })).toBeVisible()
  const restarted = await friend.page.request.post(`/api/server/${serverId}/power`, {
    headers: { origin: friend.origin },
    data: { action: 'restart' },
  })
  expect(restarted.status()).toBe(202)
  await friend.page.goto(`/en/panel/${serverId}/console`)
  // A server that still restarts changes its console: that is news and no loading.
  await expect(friend.page.getByRole('log').getByText('The bot is ready')).toHaveCount(2, { timeout: 90_000 })
  await isRunning(friend.page)
  // The machine reports the file within moments.
  await expect
    .poll(async () => (await away.request.get(`/api/server/${serverId}/activities`)).text(), { timeout: 90_000 })
    .toContain('server:file.create')

  await test.step('the lines name the person and the file, and say when', async () => {
    await comesBack(away, serverId)
    await expect(line(away, /^Restarted/)).toContainText(friend.username)
    await expect(line(away, 'motd.txt')).toContainText(friend.username)
    await expect(line(away, /joined|invited/i).first()).toBeVisible()
    await expect(card(away).locator('li svg').first()).toBeVisible()
    expect(await violations(away)).toEqual([])
  })

  await test.step('a collaborator who may not view activities reads no names', async () => {
    await comesBack(readerAway, serverId)
    await expect(line(readerAway, /^Restarted/)).toBeVisible()
    await expect(card(readerAway)).not.toContainText(friend.username)
    await expect(card(readerAway)).not.toContainText('motd.txt')
    await expect(card(readerAway).getByRole('link')).toHaveCount(0)
    expect(await violations(readerAway)).toEqual([])
  })

  await test.step('on a phone it lies over the log too, and nothing goes sideways', async () => {
    await away.setViewportSize(PHONE)
    await expect(card(away)).toBeVisible()
    expect(await away.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
    expect(await violations(away)).toEqual([])
    await away.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('it closes by keyboard, the focus goes to the log, and a reload does not bring it back', async () => {
    const close = card(away).getByRole('button', { name: 'Close' })
    await tabTo(away, 'button', /^Close$/)
    await expect(close).toBeFocused()
    await away.keyboard.press('Escape')
    await expect(card(away)).toHaveCount(0)
    await expect(away.getByRole('log')).toBeFocused()
    await away.reload()
    await isRunning(away)
    await expect(card(away)).toHaveCount(0)
  })

  await test.step('the other one closes by its button', async () => {
    await card(readerAway).getByRole('button', { name: 'Close' }).press('Enter')
    await expect(card(readerAway)).toHaveCount(0)
    await expect(readerAway.getByRole('log')).toBeFocused()
  })
  await friend.context.close()
  await reader.context.close()
})

test('the rest is in the activities from that minute on, and the card ends where the panel is left', async ({
  page,
  browser,
  demo,
  dataDir,
}) => {
  test.setTimeout(300_000)
  const { serverId } = await rentByApi(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await isRunning(page)
  await page.goto('/en/dashboard/servers')
  await expect(page.getByRole('link', { name: /Watchman/ }).first()).toBeVisible()
  await anHourPasses(dataDir, serverId)
  const permissions = [
    'console.read',
    'control.start',
    'control.stop',
    'control.restart',
    'settings.rename',
    'allocation.create',
  ]
  const friend = await collaborator(page, browser, { serverId, permissions, url: demo.url })
  const { request } = friend.page
  const headers = { origin: friend.origin }
  const renamed = await request.put(`/api/server/${serverId}/settings/identity`, {
    headers,
    data: { name: 'Watchman', description: 'At night', seen: { name: 'Watchman', description: '' } },
  })
  expect(renamed.status(), await renamed.text()).toBe(200)
  const port = await request.post(`/api/server/${serverId}/ports`, { headers, data: { note: 'map' } })
  expect(port.ok(), await port.text()).toBe(true)
  for (const action of ['restart', 'stop', 'start', 'restart']) {
    await expect(async () => {
      const done = await request.post(`/api/server/${serverId}/power`, { headers, data: { action } })
      expect(done.status(), await done.text()).toBe(202)
    }).toPass({ timeout: 60_000 })
  }
  await friend.context.close()

  await page
    .getByRole('link', { name: /Watchman/ })
    .first()
    .click()
  await page.waitForURL(/\/panel\//)
  await expect(card(page).getByRole('listitem')).toHaveCount(5)
  await expect(line(page, /^Restarted 2 times/)).toContainText(`${friend.username}last `)
  const more = card(page).getByRole('link', { name: /^\+ \d+ more$/ })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/activities\?when=own&from=\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/)
  const rest = page.locator('.act-row').filter({ hasText: 'Description changed' })
  await expect(rest).toBeVisible()
  expect(await violations(page)).toEqual([])
  const address = page.url()

  const menu = page.locator('.side')
  await menu.getByRole('link', { name: 'Console', exact: true }).click()
  await expect(card(page).getByRole('listitem')).toHaveCount(5)
  await page.getByRole('link', { name: 'All servers' }).first().click()
  await page.waitForURL(/\/dashboard\/servers/)
  await page
    .getByRole('link', { name: /Watchman/ })
    .first()
    .click()
  await page.waitForURL(/\/panel\//)
  await expect(page.getByRole('log')).toBeVisible()
  await expect(card(page)).toHaveCount(0)

  await test.step('the address alone shows the same, the whole day on request, and no minute that does not exist', async () => {
    await page.goto(address)
    await expect(rest).toBeVisible()
    await page.getByRole('button', { name: /^from \d\d:\d\d Show the whole day$/ }).click()
    await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}$/)
    await expect(rest).toBeVisible()
    await page.goto(address.replace(/T\d{2}(:|%3A)\d{2}Z/, 'T99:99Z'))
    await expect(rest).toBeVisible()
  })
})
