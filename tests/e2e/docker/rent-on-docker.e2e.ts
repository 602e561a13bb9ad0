import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

import { Server } from '../../../src/contracts/http/server.ts'
import { consoleFile, recordConsole, sameStretch } from '../../support/console-record.ts'
import { besideAllowList } from '../../support/container-allow-list.ts'
import { programOf } from '../../support/demo-processes.ts'
import { startDockerDemo, type DockerDemo } from '../../support/docker-demo.ts'
import { register, rent, sendCommand, topUp } from '../../support/journey.ts'
import { joinMinecraft, type MinecraftPlayer } from '../../support/minecraft-player.ts'
import { signInStaff } from '../../support/staff.ts'
import { expect, test as journeys } from '../test.ts'

const DATA = fileURLToPath(new URL('../../../.build/e2e-docker', import.meta.url))
const TEMPLATE = 'minecraft-flying-squid'
const VARIABLES = ['SERVER_MOTD', 'MAX_PLAYERS', 'MINECRAFT_VERSION']
const START_WITHIN_MS = 720_000
const INSTALL_WITHIN_MS = 480_000
const ADOPT_WITHIN_MS = 90_000

/** The journeys' test on a demo with a Docker daemon, which lives as long as the worker. */
const test = journeys.extend<object, { node: DockerDemo }>({
  node: [
    async ({}, use) => {
      const node = await startDockerDemo(DATA)
      try {
        await use(node)
      } finally {
        await node.stop()
      }
    },
    { scope: 'worker', timeout: START_WITHIN_MS },
  ],
  demo: async ({ node }, use) => {
    await use(node.demo.file)
  },
})

const logOf = (page: Page) => page.getByRole('log')
const statusOf = (page: Page) => page.locator('.con-meta > [role=status]')

/** What staff do before a server can be ordered onto Docker: a tag is refused in their language, the local image is taken. */
async function setImage({ demo, image }: DockerDemo): Promise<void> {
  const staff = await signInStaff(demo.file.url, demo.file.admin)
  const listOf = (name: string) => ({ dockerImages: [{ label: 'Node.js', image: name }] })
  for (const [language, sentence] of [
    ['en', 'A digest is needed'],
    ['hu', 'Digest szükséges'],
    ['de', 'Ein Digest ist nötig'],
  ] as const) {
    const refused = await staff.saveTemplate(TEMPLATE, listOf('node:24-bookworm-slim'), language)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(sentence)
  }
  expect(await staff.saveTemplate(TEMPLATE, listOf(`~${image.name}`))).toMatchObject({ status: 200 })
  await staff.close()
}

/** Player and browser hear one another; `mark` makes the sentences of each time their own. */
async function talk(page: Page, player: MinecraftPlayer, mark: string): Promise<void> {
  player.say(`From the game, ${mark}`)
  await expect(logOf(page)).toContainText(`From the game, ${mark}`, { timeout: ADOPT_WITHIN_MS })
  await sendCommand(page, `say From the browser, ${mark}`)
  await expect.poll(() => player.chat.join('\n')).toContain(`From the browser, ${mark}`)
  expect(player.ended()).toBeUndefined()
}

/** The one container of the node, as the engine tells it. */
async function inspect(node: DockerDemo) {
  const running = await node.daemon.docker.listContainers({ all: true })
  expect(running).toHaveLength(1)
  return node.daemon.docker.getContainer(running[0]?.Id ?? '').inspect()
}

test('a server is ordered onto a node with Docker, and its player survives the agent and the engine', async ({
  page,
  node,
  expectedErrors,
}) => {
  test.setTimeout(900_000)
  // The console's socket is cut on purpose.
  expectedErrors.push(/WebSocket connection to 'ws:.*failed/, /net::ERR_CONNECTION_REFUSED/)
  // The node has an address instead of localhost and no certificate, so Chromium leaves this header out.
  expectedErrors.push(
    /^The Cross-Origin-Opener-Policy header has been ignored, because the URL's origin was untrustworthy/,
  )
  const { daemon, demo, image } = node
  await setImage(node)
  await register(page)
  await topUp(page, 5_000)
  const record = recordConsole(page)
  const serverId = await rent(page, { service: 'minecraft', name: 'Stone Age', price: /^To pay\D*990$/ })
  const log = logOf(page)

  await test.step('the installation is seen live', async () => {
    await expect(page.getByText('You see its output live.')).toBeVisible({ timeout: 60_000 })
    await expect(log).toContainText('Installing flying-squid', { timeout: 60_000 })
    expect(record.installed).toBeUndefined()
    await expect.poll(() => record.installed, { timeout: INSTALL_WITHIN_MS }).toBe(true)
  })
  await test.step('it runs', async () => {
    await expect(statusOf(page)).toHaveText(/running/i, { timeout: 120_000 })
    await expect(log).toContainText('Done (')
  })
  const server = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  expect(server).toMatchObject({ dockerImage: `~${image.name}`, ip: daemon.namespace.address })
  const port = server.port ?? 0
  const root = join(DATA, 'agent/servers', server.identifier, 'root')

  await test.step('its container has what the allow-list gives, and nothing else', async () => {
    const info = await inspect(node)
    const { uid } = statSync(root)
    expect(uid).toBeGreaterThanOrEqual(210_000)
    const { told, listed } = besideAllowList(info, {
      imageId: image.id,
      serverId,
      root,
      uid,
      address: { ip: daemon.namespace.address, port },
      limits: { memoryMiB: 1_024, cpuPercent: 100, pids: 512 },
      environment: ['HOME', 'LANG', 'PATH', 'SERVER_IP', 'SERVER_MEMORY', 'SERVER_PORT', 'USER', ...VARIABLES],
    })
    expect(told).toEqual(listed)
    expect(info.State).toMatchObject({ Running: true, OOMKilled: false })
  })

  const player = await joinMinecraft(port, 'Alex', daemon.namespace.address)
  const before = await inspect(node)
  await test.step('player and browser hear one another', () => talk(page, player, 'in the beginning'))

  await test.step('the agent is killed, and the player stays', async () => {
    const killed = programOf(DATA, 'agent')
    const { sessions } = record
    process.kill(killed, 'SIGKILL')
    player.say('Is anybody there?')
    await expect.poll(() => player.chat.join('\n')).toContain('Is anybody there?')
    await expect.poll(() => record.sessions, { timeout: ADOPT_WITHIN_MS }).toBeGreaterThan(sessions)
    expect(programOf(DATA, 'agent')).not.toBe(killed)
    await expect(log).toContainText('Is anybody there?')
    await talk(page, player, 'after the agent')
  })

  await test.step('the engine starts again, and the player stays', async () => {
    const engine = daemon.pid()
    await daemon.shutDown()
    player.say('Does anybody run this?')
    await expect.poll(() => player.chat.join('\n')).toContain('Does anybody run this?')
    await daemon.start()
    expect(daemon.pid()).not.toBe(engine)
    await expect(log).toContainText('Does anybody run this?', { timeout: ADOPT_WITHIN_MS })
    await talk(page, player, 'after the engine')
    const { Id: id, State: state, RestartCount: restarts } = await inspect(node)
    expect({ id, pid: state.Pid, startedAt: state.StartedAt, restarts }).toEqual({
      id: before.Id,
      pid: before.State.Pid,
      startedAt: before.State.StartedAt,
      restarts: 0,
    })
  })

  await test.step('no line is lost or repeated', async () => {
    const inFile = consoleFile(DATA, server.identifier)
    await expect.poll(() => record.lines.at(-1)?.seq ?? 0).toBeGreaterThanOrEqual(inFile.at(-1)?.seq ?? 0)
    expect(record.dropped).toBe(0)
    await expect(page.locator('.l-gap')).toHaveCount(0)
    expect(sameStretch(record.lines, consoleFile(DATA, server.identifier))).toEqual(record.lines)
    for (const said of ['Is anybody there?', 'Does anybody run this?']) {
      expect(record.lines.filter(({ text }) => text.includes(said))).toHaveLength(1)
    }
  })

  await test.step('stop ends it gracefully', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(log).toContainText('Stopping the server')
    await expect(statusOf(page)).toHaveText(/offline|stopped/i, { timeout: 60_000 })
    await expect.poll(() => player.ended()).toBeDefined()
    expect(await daemon.docker.listContainers()).toEqual([])
  })
  await page.goto(`${demo.file.url}/dashboard/balance/summary`)
  await expect(page.getByRole('main')).toContainText(/4[.,\s]010/)
})
