import type { Page } from '@playwright/test'

import { builtPanelPages, PANEL_PAGES } from '../../src/contracts/features.ts'
import type { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { keepSession, openServer } from '../support/console-page.ts'
import { standInForConsole } from '../support/console-stand-in.ts'
import { standInForGateway } from '../support/listed-servers.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const PHONE = { width: 390, height: 844 }
const NOBODYS = '01900000-0000-7000-8000-00000000dead'

const log = (page: Page) => page.getByRole('log')
const sign = (page: Page) => page.locator('.switcher')
const menu = (page: Page) => page.locator('.side').getByRole('navigation')
const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** The API's servers with a change, as a reader of another kind receives them. */
const changeServer = async (page: Page, serverId: string, change: Partial<Server>): Promise<void> => {
  await page.route('**/api/user/servers', async (route) => {
    const answer = await route.fetch()
    const servers = (await answer.json()) as Server[]
    await route.fulfill({ response: answer, json: servers.map((each) => ({ ...each, ...change })) })
  })
  await page.route(`**/api/server/${serverId}`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as Server), ...change } })
  })
}

test('the link of a server stays open from page to page, and coming back to the console shows no gap', async ({
  page,
}) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, ['ready'])
  // A server that still starts says other words by the real gateway.
  await standInForGateway(page)
  await page.goto(`/panel/${serverId}/files`)
  // Any page of the panel opens it.
  await expect.poll(() => node.sockets.opened).toBe(1)
  await expect(sign(page)).toContainText('Running')

  await test.step('the sign follows the node on every page', async () => {
    node.say({ event: 'status', args: ['crashed', { code: 1, signal: null }] })
    await expect(sign(page)).toContainText('Crashed')
    node.say({ event: 'status', args: ['running'] })
    await expect(sign(page)).toContainText('Running')
  })

  await test.step('by keyboard through the panel; lines come meanwhile', async () => {
    const titles = { networks: 'Network', startup: 'Startup', users: 'Collaborators' } as const
    for (const place of ['networks', 'startup', 'users'] as const) {
      await page.keyboard.press('Alt+ArrowDown')
      await page.waitForURL(`**/panel/${serverId}/${place}`)
      await expect(page).toHaveTitle(`${titles[place]} · Watchman · Bakter`)
      node.print(`while the reader is at ${place}`)
    }
    for (const place of ['startup', 'networks', 'files', 'console']) {
      await page.keyboard.press('Alt+ArrowUp')
      await page.waitForURL(`**/panel/${serverId}/${place}`)
    }
    // Each press counts, however fast they follow: from the page that is on its way.
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('Alt+ArrowDown')
    await page.waitForURL(`**/panel/${serverId}/users`)
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('Alt+ArrowUp')
    await page.waitForURL(`**/panel/${serverId}/console`)
    await expect(page).toHaveTitle('Console · Watchman · Bakter')
    for (const place of ['networks', 'startup', 'users'])
      await expect(log(page).getByText(`while the reader is at ${place}`, { exact: true })).toHaveCount(1)
    await expect(log(page).locator('.l-gap')).toHaveCount(0)
    expect(node.sockets).toEqual({ opened: 1, closed: 0 })
  })

  await test.step('a new token goes over the same socket, and no line is lost or doubled', async () => {
    await page.keyboard.press('Alt+ArrowDown')
    await page.waitForURL(`**/panel/${serverId}/files`)
    node.print('before the new token')
    node.say({ event: 'token expiring' })
    await expect.poll(() => node.resumedAfter.length).toBe(2)
    node.print('after the new token')
    await page.keyboard.press('Alt+ArrowUp')
    await page.waitForURL(`**/panel/${serverId}/console`)
    for (const text of ['ready', 'before the new token', 'after the new token'])
      await expect(log(page).getByText(text, { exact: true })).toHaveCount(1)
    expect(node.sockets).toEqual({ opened: 1, closed: 0 })
  })

  await test.step('it closes with the panel, and opens with it again', async () => {
    await page.getByRole('link', { name: 'All servers' }).first().click()
    await page.waitForURL('**/dashboard/servers')
    await expect(page).toHaveTitle('My servers · Bakter')
    await expect.poll(() => node.sockets).toEqual({ opened: 1, closed: 1 })
    await page.goBack()
    await expect(log(page)).toContainText('after the new token')
    expect(node.sockets.opened).toBe(2)
  })
})

test('places of a panel: those of the build open, all others are its own 404 page', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[04]/)
  const serverId = await openServer(page)
  await standInForConsole(page, ['ready'])
  for (const [asked, place] of [
    [`/panel/${serverId}`, `/panel/${serverId}/console`],
    [`/hu/panel/${serverId.toUpperCase()}/files`, `/hu/panel/${serverId}/files`],
    ['/panel', '/dashboard/servers'],
  ] as const) {
    await page.goto(asked)
    expect(new URL(page.url()).pathname).toBe(place)
  }
  const absent = (Object.keys(PANEL_PAGES) as (keyof typeof PANEL_PAGES)[]).filter((name) => !PANEL_PAGES[name])
  for (const name of [...absent, 'nonsense', 'console/deeper']) {
    const answer = await page.goto(`/en/panel/${serverId}/${name}`)
    expect([name, answer?.status()]).toEqual([name, 404])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText("This page doesn't exist")
  }
  // The server and its menu stay beside it.
  await expect(menu(page).getByRole('link')).toHaveCount(builtPanelPages.length)
  for (const name of absent) await expect(menu(page).locator(`a[href$="/${name}"]`)).toHaveCount(0)
  await expect(sign(page)).toContainText('Running')
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size)
    expect(await violations(page)).toEqual([])
    expect(await widest(page)).toBeLessThanOrEqual(size.width)
  }
  await page.getByRole('main').getByRole('link', { name: 'Open console' }).press('Enter')
  await expect(log(page)).toContainText('ready')

  for (const id of [NOBODYS, 'abc', '%zz']) {
    for (const name of builtPanelPages) {
      const answer = await page.goto(`/en/panel/${id}/${name}`)
      expect([id, name, answer?.status()]).toEqual([id, name, 200])
      await expect(page.getByRole('main').getByRole('link', { name: /^(?:All|My) servers$/ })).toBeVisible()
    }
    expect(await violations(page)).toEqual([])
  }
})

test('without its node the pages of the node are grey and say so, and no other page', async ({ page }) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, ['ready'])
  const open = node.shut()
  // The real gateway says that the server runs.
  await standInForGateway(page)
  await changeServer(page, serverId, { status: 'nodeoffline' })
  await page.goto(`/en/panel/${serverId}/files`)
  await expect(page.locator('.node-away')).toBeVisible()
  await expect(page.getByText('The machine is under maintenance.')).toBeVisible()
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size)
    expect(await violations(page)).toEqual([])
    expect(await widest(page)).toBeLessThanOrEqual(size.width)
  }
  for (const place of builtPanelPages.filter((each) => each !== 'files')) {
    await page.goto(`/en/panel/${serverId}/${place}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.node-away')).toHaveCount(0)
  }
  await page.goto(`/en/panel/${serverId}/files`)
  await expect(page.locator('.node-away')).toBeVisible()
  // The node is back: its link says so before the list does, and the page needs no reload.
  open()
  await expect(page.locator('.node-away')).toHaveCount(0)
  await expect(page.getByText('The machine is under maintenance.')).toHaveCount(0)
})

test('a collaborator who may not read the console reads which permission is missing, and no socket is opened', async ({
  page,
}) => {
  const serverId = await openServer(page)
  const node = await standInForConsole(page, ['ready'])
  await changeServer(page, serverId, { permissions: ['control.start', 'file.list'], status: 'offline' })
  for (const [language, words] of [
    ['en', 'You need the permission “Read the console” to see this console.'],
    ['hu', 'Ehhez a konzolhoz ez a jogosultság kell: „Konzol olvasása”.'],
    ['de', 'Für diese Konsole brauchst du das Recht „Konsole lesen“.'],
  ] as const) {
    await page.goto(`/${language}/panel/${serverId}/console`)
    await expect(page.getByRole('main')).toContainText(words)
  }
  await page.goto(`/en/panel/${serverId}/console`)
  // The actions that they may still do stay.
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size)
    expect(await violations(page)).toEqual([])
    expect(await widest(page)).toBeLessThanOrEqual(size.width)
  }
  expect(node.sockets.opened).toBe(0)
})
