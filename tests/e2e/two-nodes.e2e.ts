import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import { SESSION_LEASE_MS } from '../../src/domain/servers/reachability.ts'
import { violations } from '../support/axe.ts'
import { consoleFile, recordConsole, sameStretch } from '../support/console-record.ts'
import { rent, rentByApi, sendCommand } from '../support/journey.ts'
import { addSecondNode, type SecondNode } from '../support/second-node.ts'
import { offerSmallGame } from '../support/small-game.ts'
import { expect, test } from './test.ts'

// One customer has a server on each of two nodes, and one of the nodes dies: nothing stands in for either of them.

/** The session of a node that is gone ends by its lease, and the pages are told. */
const AWAY_WITHIN_MS = SESSION_LEASE_MS + 60_000
const BACK_WITHIN_MS = 120_000
/** Pages that do not need the machine, with the words of each. */
const OTHER_PAGES = [
  ['networks', 'Network'],
  ['startup', 'Startup'],
  ['users', 'Collaborators'],
  ['activities', 'Activity'],
  ['settings', 'Server settings'],
] as const

const statusOf = (page: Page) => page.locator('.con-meta > [role=status]')
const listed = (page: Page, name: string) => page.locator('.sv-row[data-server]').filter({ hasText: name })
const lamp = (page: Page, name: string) => listed(page, name).locator('.lamp').first()
const lineOf = (page: Page, text: string) => page.getByRole('log').getByText(text, { exact: true })

const serverOf = async (page: Page, id: string) =>
  Server.parse(await (await page.request.get(`/api/server/${id}`)).json())

/** Console, files and power of the server whose node is there. */
const worksOn = async (page: Page, serverId: string): Promise<void> => {
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 60_000 })
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await sendCommand(page, 'ping')
  await expect(page.getByRole('log')).toContainText('pong')
  // The states in between may be over before anybody looks; the program's second greeting stays.
  const ready = page.getByRole('log').getByText('The bot is ready')
  await expect(ready).toHaveCount(1)
  await page.getByRole('button', { name: 'Restart', exact: true }).click()
  await expect(ready).toHaveCount(2, { timeout: 90_000 })
  await expect(statusOf(page)).toHaveText(/Running/, { timeout: 60_000 })
  await page.goto(`/en/panel/${serverId}/files`)
  await page.getByRole('button', { name: 'New file' }).click()
  const name = `while-away-${Date.now()}.txt`
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create file' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
  await expect(page.locator('.node-away')).toHaveCount(0)
}

test.describe('two nodes', () => {
  let second: SecondNode | undefined
  test.afterEach(async () => {
    await second?.takeOffOffer()
    await second?.start()
    await second?.close()
  })

  test('one of two nodes dies: its server says maintenance, everything else works, and it comes back as it was', async ({
    page,
    context,
    demo,
    dataDir,
    expectedErrors,
  }) => {
    test.setTimeout(600_000)
    // The sockets and calls to a dead node.
    expectedErrors.push(/WebSocket connection to 'ws:.*failed/, /net::ERR_CONNECTION_REFUSED/, /status of 503/)
    const { serverId: near } = await rentByApi(page, 'Near')
    const node = await addSecondNode(demo, dataDir)
    second = node
    // Pages may connect to a new node within 5 s.
    await expect
      .poll(async () => (await page.request.get('/en/dashboard/servers')).headers()['content-security-policy'])
      .toContain(node.url)
    const { slug, withdraw } = await offerSmallGame(page.request, demo)
    const record = recordConsole(page)
    const far = await rent(page, { service: slug, name: 'Far', price: /^To pay\D*500\sFt$/ })
    await withdraw()
    await node.takeOffOffer()
    const { computer, identifier } = await serverOf(page, far)
    expect(computer.url).not.toBe((await serverOf(page, near)).computer.url)
    await expect(statusOf(page)).toHaveText(/Running/, { timeout: 60_000 })
    // Before its log is there, a command goes nowhere yet.
    await expect(page.getByRole('log')).toContainText('Start number 1')
    await sendCommand(page, 'rate 10')
    await expect.poll(() => record.lines.at(-1)?.text).toMatch(/^rate /)

    const list = await context.newPage()
    await list.goto('/en/dashboard/servers')
    for (const name of ['Near', 'Far']) await expect(lamp(list, name)).toHaveText('Running', { timeout: 60_000 })
    const files = await context.newPage()
    await files.goto(`/en/panel/${far}/files`)
    await expect(files.getByRole('row').filter({ hasText: 'starts.txt' })).toBeVisible()

    const { sessions } = record
    await node.kill()
    await test.step('list and panel say so, without a reload', async () => {
      await expect(lamp(list, 'Far')).toHaveText('Maintenance', { timeout: AWAY_WITHIN_MS })
      await expect(lamp(list, 'Near')).toHaveText('Running')
      await expect(list.getByRole('region', { name: 'Needs attention' })).toContainText('Far')
      expect(await violations(list)).toEqual([])
      await expect(files.getByText('The machine is under maintenance.')).toBeVisible()
      await expect(files.locator('.node-away')).toHaveCount(1)
      expect(await violations(files)).toEqual([])
      await expect(statusOf(page)).toHaveText(/Maintenance/)
      await expect(page.getByRole('dialog')).toContainText('The machine is under maintenance')
      // Lines that were printed before can still be read.
      await expect(page.getByRole('log')).toContainText('Start number 1')
      expect(await violations(page)).toEqual([])
    })
    const beside = await context.newPage()
    await test.step('no other page of its panel is broken', async () => {
      for (const [path, title] of OTHER_PAGES) {
        await beside.goto(`/en/panel/${far}/${path}`)
        await expect(beside.getByRole('heading', { level: 1 })).toContainText(title)
        await expect(beside.locator('.node-away')).toHaveCount(0)
        await expect(beside.getByRole('alert').filter({ hasText: /didn't load|couldn't load/ })).toHaveCount(0)
        expect(await violations(beside)).toEqual([])
      }
    })
    await test.step('console, files and power of the other server work', () => worksOn(beside, near))

    await node.start()
    await test.step('its state and its console come back without a reload, and no line is lost', async () => {
      await expect(lamp(list, 'Far')).toHaveText('Running', { timeout: BACK_WITHIN_MS })
      await expect(files.locator('.node-away')).toHaveCount(0, { timeout: BACK_WITHIN_MS })
      await files.getByRole('button', { name: 'New file' }).click()
      await files.getByRole('dialog').getByLabel('Name').fill('back.txt')
      await files.getByRole('dialog').getByRole('button', { name: 'Create file' }).click()
      await expect(files.getByRole('row').filter({ hasText: 'back.txt' })).toBeVisible()
      await expect.poll(() => record.sessions, { timeout: BACK_WITHIN_MS }).toBeGreaterThan(sessions)
      await expect(statusOf(page)).toHaveText(/Running/)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await sendCommand(page, 'say back again')
      await expect(lineOf(page, '[Server] back again')).toHaveCount(1)
      expect(record.dropped).toBe(0)
      const rates = record.lines.filter(({ text }) => text.startsWith('rate ')).map(({ text }) => Number(text.slice(5)))
      expect(rates).toEqual(rates.map((_, at) => at + 1))
      expect(sameStretch(record.lines, consoleFile(node.dataDir, identifier))).toEqual(record.lines)
      // The program itself has noticed nothing.
      const starts = readFileSync(join(node.dataDir, 'agent/servers', identifier, 'root/starts.txt'), 'utf8')
      expect(starts.trim().split('\n')).toHaveLength(1)
    })
    for (const each of [list, files, beside]) await each.close()
  })
})
