import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page, Route } from '@playwright/test'

import { ServerPorts } from '../../src/contracts/http/panel/ports.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { SharedCustomer } from '../support/console-page.ts'
import { statusOfServer } from '../support/journey.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

const harbour = new SharedCustomer()
test.afterEach(({ page }) => harbour.keep(page))

/** A bot that listens at its primary port, for tcp and udp. */
const BOT = `
import { createServer } from 'node:net'
import { createSocket } from 'node:dgram'
import { createInterface } from 'node:readline'
const port = Number(process.env.SERVER_PORT)
createServer((socket) => socket.on('error', () => {})).listen(port, process.env.SERVER_IP)
createSocket('udp4').bind(port, process.env.SERVER_IP, () => console.log('ready'))
const stop = () => process.exit(0)
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
createInterface({ input: process.stdin }).on('line', (line) => line.trim() === 'stop' && stop())
`

const serverOf = async (page: Page, serverId: string) =>
  Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
const portsOf = async (page: Page, serverId: string) =>
  ServerPorts.parse(await (await page.request.get(`/api/server/${serverId}/ports`)).json())

/** The network of a server of this file's own, without further ports. */
const openNetwork = async (page: Page, origin: string): Promise<string> => {
  const serverId = await harbour.open(page)
  await expect.poll(() => statusOfServer(page, serverId), { timeout: 120_000 }).toBe('running')
  for (const { id, isPrimary } of (await portsOf(page, serverId)).ports) {
    if (isPrimary) continue
    await page.request.delete(`/api/server/${serverId}/ports/${id}`, { headers: { origin } })
  }
  await page.goto(`/en/panel/${serverId}/networks`)
  await expect(page.getByRole('heading', { name: 'Connection address' })).toBeVisible()
  return serverId
}

const rowOf = (page: Page, port: number) => page.locator('.port').filter({ hasText: String(port) })
const restartNotice = (page: Page) => page.getByRole('status').filter({ hasText: 'It needs a restart' })
const restart = async (page: Page) => {
  await restartNotice(page).getByRole('button', { name: 'Restart now' }).click()
  await expect(restartNotice(page)).toHaveCount(0, { timeout: 120_000 })
}
/** The number of the port that the server has beside its primary one. */
const furtherPort = async (page: Page, serverId: string): Promise<number> => {
  const port = (await portsOf(page, serverId)).ports.find(({ isPrimary }) => !isPrimary)
  if (port === undefined) throw new Error('There is no further port.')
  return port.port
}

test('a customer adds a port, makes it the primary one, sees that players reach it, and removes the other', async ({
  page,
  dataDir,
  demo,
}) => {
  test.setTimeout(480_000)
  const serverId = await openNetwork(page, demo.url)
  const { identifier, port: before, ip } = await serverOf(page, serverId)
  const sign = page.locator('.netsign')
  await expect(sign.getByRole('button', { name: `Copy the address: ${ip}:${before}` })).toBeVisible()
  await expect(sign).toContainText('nothing listens on this port yet')

  writeFileSync(join(dataDir, 'agent/servers', identifier, 'root', 'index.js'), BOT)
  await page.getByRole('button', { name: 'Add port' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('players')
  await page.getByRole('dialog').getByRole('button', { name: 'Add port' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const port = await furtherPort(page, serverId)
  await expect(rowOf(page, port)).toContainText('players')
  await expect(rowOf(page, port)).toContainText('From the next restart')
  await expect(page.getByText('2 of 4 ports')).toBeVisible()

  await page.getByRole('button', { name: `Make port ${port} the primary one` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make primary' }).click()
  await expect(sign.getByRole('button', { name: `Copy the address: ${ip}:${port}` })).toBeVisible()
  await restart(page)
  await expect(sign.getByText('TCP and UDP')).toBeVisible({ timeout: 90_000 })
  await expect(rowOf(page, before ?? 0)).toContainText('Nothing listens')
  await sign.getByRole('button', { name: `Check port ${port} from outside` }).click()
  await expect(sign).toContainText('Reachable over TCP')
  await expect(sign).toContainText('Everything is ready: players can connect.')
  await page.getByRole('button', { name: `Check port ${before} from outside` }).click()
  await expect(rowOf(page, before ?? 0)).toContainText('Refused over TCP')

  await page.getByRole('button', { name: `Remove port ${before}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(rowOf(page, before ?? 0)).toContainText("Removed. It's released when the server stops or restarts.")
  expect((await portsOf(page, serverId)).leaving).toHaveLength(1)
  await restart(page)
  await expect(rowOf(page, before ?? 0)).toHaveCount(0)
  expect(await portsOf(page, serverId)).toMatchObject({ leaving: [], ports: [{ port, isPrimary: true }] })

  await page.goto('/en/dashboard/activities')
  for (const word of ['Port added', 'Primary port changed', 'Port removed']) {
    await expect(page.getByText(word).first()).toBeVisible()
  }
})

test('the network is managed by the keyboard alone', async ({ page, demo }) => {
  test.setTimeout(180_000)
  const serverId = await openNetwork(page, demo.url)
  await tabTo(page, 'button', /^Add port$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Note')).toBeFocused()
  await page.keyboard.type('voice chat')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const port = await furtherPort(page, serverId)
  await expect(rowOf(page, port)).toContainText('voice chat')

  const note = new RegExp(`^Change the note of port ${port}$`)
  await tabTo(page, 'button', note)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('voice chat')
  await page.keyboard.type(', web map')
  await page.keyboard.press('Escape')
  await expect(rowOf(page, port)).not.toContainText('web map')
  await expect(page.getByRole('button', { name: note })).toBeFocused()
  await page.keyboard.press('Enter')
  // Quick fingers: the end of one question never takes the next one along.
  for (let again = 0; again < 8; again += 1) {
    await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')])
  }
  await expect(page.getByLabel('Note', { exact: true })).toBeFocused()
  await page.keyboard.type(', web map')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, port)).toContainText('voice chat, web map')

  await tabTo(page, 'button', new RegExp(`^Check port ${port} from outside$`))
  await page.keyboard.press('Space')
  await expect(rowOf(page, port)).toContainText('Refused over TCP')
  await tabTo(page, 'button', new RegExp(`^Remove port ${port}$`))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('dialog'), 'button', /^Remove$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await portsOf(page, serverId)).ports).toHaveLength(1)
})

test('an act that fails says why and loses nothing', async ({ page, demo, expectedErrors }) => {
  test.setTimeout(180_000)
  expectedErrors.push(/ERR_FAILED/, /status of 5\d\d/)
  const serverId = await openNetwork(page, demo.url)
  await page.route('**/api/server/*/ports', async (route) => {
    if (route.request().method() === 'POST') return route.abort()
    return route.fallback()
  })
  await page.getByRole('button', { name: 'Add port' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('kept')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('No response. Check your connection.')
  await page.unroute('**/api/server/*/ports')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const port = await furtherPort(page, serverId)
  await expect(rowOf(page, port)).toContainText('kept')

  // The limit, reached in another tab meanwhile.
  await page.getByRole('button', { name: 'Add port' }).click()
  await expect(page.getByRole('dialog').getByLabel('Note')).toBeFocused()
  for (let more = 0; more < 2; more += 1) {
    await page.request.post(`/api/server/${serverId}/ports`, { headers: { origin: demo.url }, data: { note: '' } })
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This server already has all of its 4 ports.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('This server has all of its 4 ports.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add port' })).toHaveCount(0)
})

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const looksWell = async (page: Page, state: string) => {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect.soft(await violations(page), `${state} at ${size.width}`).toEqual([])
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(widest, `${state} at ${size.width}`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('axe finds nothing in any state, at both widths', async ({ page, demo, expectedErrors }) => {
  test.setTimeout(300_000)
  expectedErrors.push(/ERR_FAILED/, /status of 5\d\d/)
  const serverId = await openNetwork(page, demo.url)
  await looksWell(page, 'one port')
  for (let more = 0; more < 3; more += 1) {
    const headers = { origin: demo.url }
    await page.request.post(`/api/server/${serverId}/ports`, { headers, data: { note: 'A note of some length' } })
  }
  await page.reload()
  await expect(page.getByText('4 of 4 ports')).toBeVisible()
  await expect(restartNotice(page)).toBeVisible()
  await looksWell(page, 'all ports, waiting for a restart')
  const port = await furtherPort(page, serverId)
  for (const [state, button] of [
    ['note', `Change the note of port ${port}`],
    ['primary', `Make port ${port} the primary one`],
    ['remove', `Remove port ${port}`],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await looksWell(page, state)
    await page.keyboard.press('Escape')
  }
  // Menus: the sidebar of a wide screen and the menu of a phone lead here.
  await expect(page.getByRole('link', { name: 'Network' }).first()).toHaveAttribute('aria-current', 'page')

  await page.route('**/servers/*/ports', (route) => route.abort())
  await page.reload()
  await expect(page.locator('.netsign')).toContainText("The machine isn't answering right now.")
  await looksWell(page, 'machine away')
  await page.unroute('**/servers/*/ports')

  await page.route('**/api/server/*/ports', (route) => route.abort())
  await page.reload()
  await expect(page.locator('.empty-failed')).toContainText("The ports didn't load. Nothing has changed.", {
    timeout: 30_000,
  })
  await looksWell(page, 'failed')
  await page.unroute('**/api/server/*/ports')

  const only = (permissions: string[]) => (text: string) =>
    text.replaceAll(/"permissions":\[[^\]]*\]/g, `"permissions":${JSON.stringify(permissions)}`)
  const answering = (change: (text: string) => string) => async (route: Route) => {
    const response = await route.fetch()
    return route.fulfill({ response, body: change(await response.text()) })
  }
  await page.route(/\/api\/(user\/servers|server\/[0-9a-f-]+)$/, answering(only(['allocation.view'])))
  await page.reload()
  await expect(page.getByText("You don't have permission to add ports to this server (add ports).")).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add port' })).toHaveCount(0)
  await looksWell(page, 'only looking')
  await page.unroute(/\/api\/(user\/servers|server\/[0-9a-f-]+)$/)
  await page.route(/\/api\/(user\/servers|server\/[0-9a-f-]+)$/, answering(only(['console.read'])))
  await page.reload()
  await expect(page.getByText("You don't have permission to see the ports of this server (view ports).")).toBeVisible()
  await looksWell(page, 'no permission')
})
