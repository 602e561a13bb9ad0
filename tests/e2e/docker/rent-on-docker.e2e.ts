import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Page } from '@playwright/test'

import { Server } from '../../../src/contracts/http/server.ts'
import { recordConsole } from '../../support/console-record.ts'
import { besideAllowList } from '../../support/container-allow-list.ts'
import { startDockerDemo, type DockerDemo } from '../../support/docker-demo.ts'
import { joinMinecraft, type MinecraftPlayer } from '../../support/minecraft-player.ts'
import {
  killAgent,
  logOf,
  rentMinecraft,
  seeEveryLineOnce,
  seeRest,
  speakAlone,
  statusOf,
  stopGracefully,
  talk,
  watchInstallation,
  watchStart,
} from '../../support/played-server.ts'
import { signInStaff } from '../../support/staff.ts'
import { expect, test as journeys } from '../test.ts'

const DATA = fileURLToPath(new URL('../../../.build/e2e-docker', import.meta.url))
const TEMPLATE = 'minecraft-flying-squid'
const VARIABLES = ['SERVER_MOTD', 'MAX_PLAYERS', 'CREATIVE_MODE', 'DIFFICULTY', 'MINECRAFT_VERSION']
const START_WITHIN_MS = 720_000
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

/**
 * The work of staff before a server can be ordered onto Docker: a tag is refused in their language, the local image is
 * taken.
 */
async function setImage({ demo, image }: DockerDemo): Promise<void> {
  const staff = await signInStaff(demo.file.url, demo.file.admin)
  const listOf = (name: string) => ({ dockerImages: [{ label: 'Node.js', image: name }] })
  for (const [language, sentence] of [
    ['en', 'A digest is required'],
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

/** The one container of the node, as the engine tells it. */
async function inspect(node: DockerDemo) {
  const running = await node.daemon.docker.listContainers({ all: true })
  expect(running).toHaveLength(1)
  return node.daemon.docker.getContainer(running[0]?.Id ?? '').inspect()
}

const SECOND = 'bakter-second:1'

/** Puts another image beside the one of the list: the same programs, with a mark of its own. */
async function offerSecondImage({ demo, image, daemon: { docker } }: DockerDemo): Promise<string> {
  const made = await docker.createContainer({ Image: image.id })
  const [repo, tag] = SECOND.split(':')
  const { Id: id } = (await made.commit({ repo, tag, changes: 'LABEL second=yes' })) as { Id: string }
  await made.remove()
  const staff = await signInStaff(demo.file.url, demo.file.admin)
  const dockerImages = [
    { label: 'Node.js', image: `~${image.name}` },
    { label: 'Second', image: `~${SECOND}` },
  ]
  expect(await staff.saveTemplate(TEMPLATE, { dockerImages })).toMatchObject({ status: 200 })
  await staff.close()
  return id
}

/** The player stays until the restart, and comes back to a container of the other image with the same files. */
async function changeImage(
  page: Page,
  node: DockerDemo,
  { serverId, player, port }: { serverId: string; player: MinecraftPlayer; port: number },
): Promise<MinecraftPlayer> {
  const id = await offerSecondImage(node)
  await page.goto(`/panel/${serverId}/startup`)
  await page.getByRole('radio', { name: /^Second/ }).check()
  await page.getByRole('button', { name: 'Use this image' }).click()
  await expect(page.getByText('Image saved. The server uses it from its next start.')).toBeVisible()
  await speakAlone(player, 'Has anything changed?')
  expect((await inspect(node)).Image).toBe(node.image.id)
  await page.getByRole('button', { name: /^Restart/ }).click()
  await expect.poll(() => player.ended(), { timeout: 30_000 }).toBeDefined()
  await page.goto(`/panel/${serverId}/console`)
  await expect(statusOf(page)).toHaveText(/running/i, { timeout: 120_000 })
  const again = await joinMinecraft(port, 'Alex', { host: node.daemon.namespace.address })
  await talk(page, again, 'in the other image')
  expect((await inspect(node)).Image).toBe(id)
  return again
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
  const { daemon, image } = node
  await setImage(node)
  const record = recordConsole(page)
  const serverId = await rentMinecraft(page)
  await watchInstallation(page, record)
  await watchStart(page)
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

  const player = await joinMinecraft(port, 'Alex', { host: daemon.namespace.address })
  const before = await inspect(node)
  await test.step('player and browser hear one another', () => talk(page, player, 'in the beginning'))

  const played = { dataDir: DATA, record, player }
  await killAgent(page, played)

  await test.step('the engine starts again, and the player stays', async () => {
    const engine = daemon.pid()
    await daemon.shutDown()
    await speakAlone(player, 'Does anybody run this?')
    await daemon.start()
    expect(daemon.pid()).not.toBe(engine)
    await expect(logOf(page)).toContainText('Does anybody run this?', { timeout: ADOPT_WITHIN_MS })
    await talk(page, player, 'after the engine')
    const { Id: id, State: state, RestartCount: restarts } = await inspect(node)
    expect({ id, pid: state.Pid, startedAt: state.StartedAt, restarts }).toEqual({
      id: before.Id,
      pid: before.State.Pid,
      startedAt: before.State.StartedAt,
      restarts: 0,
    })
  })

  await seeEveryLineOnce(page, played, {
    identifier: server.identifier,
    once: ['Is anybody there?', 'Does anybody run this?'],
  })
  const again = await test.step('another image is used from the restart on', () =>
    changeImage(page, node, { serverId, player, port }))
  await stopGracefully(page, again)
  expect(await daemon.docker.listContainers()).toEqual([])
  await seeRest(page)
})
