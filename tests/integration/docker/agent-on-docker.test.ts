import { connect, type Socket } from 'node:net'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { openBeside, startAgentOnDocker } from '../../support/agent-on-docker.ts'
import { bundleAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { besideAllowList } from '../../support/container-allow-list.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { freePort } from '../../support/free-port.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

let daemon: TestDockerDaemon
let image: string
let imageId: string
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
const agents: AgentUnderTest[] = []

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  ;({ name: image, id: imageId } = await loadTestImage(daemon.docker))
  bundled = await bundleAgent()
  scratch = scratchFolder()
  controlPlane = new ControlPlaneStandIn()
  url = await openBeside(daemon, controlPlane)
})

afterAll(async () => {
  for (const agent of agents.filter((each) => each.process.isRunning())) await agent.process.stop(20_000)
  await controlPlane.close()
  await daemon.remove()
  bundled.remove()
  scratch.remove()
})

const open = async (env: Record<string, string> = {}): Promise<AgentUnderTest> => {
  const data = path.join(scratch.path, 'agent')
  const place = { daemon, bundle: bundled.bundle, data, controlPlane, controlPlaneUrl: url }
  const agent = await startAgentOnDocker({ ...place, env })
  agents.push(agent)
  return agent
}

const watch = async (agent: AgentUnderTest, afterSeq: number): Promise<PanelClient> => {
  const client = new PanelClient(agent.port, { host: daemon.namespace.address })
  await client.authenticate(await controlPlane.token(), afterSeq)
  return client
}

const join = (port: number): Promise<{ readonly socket: Socket; readonly heard: () => string }> =>
  new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, daemon.namespace.address, () => {
      socket.write('Anna\nhello\n')
    })
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      heard += String(chunk)
      resolve({ socket, heard: () => heard })
    })
  })

test('a server is installed and played on in containers, and its player never notices that the agent was killed [S-1, S-2, S-7, P3]', async () => {
  const port = await freePort()
  const spec = buildServerSpec({
    image: `~${image}`,
    allocations: [{ ip: daemon.namespace.address, port, primary: true }],
  })
  const command = { serverId: SERVER_ID, generation: 1, requestId: 'request' }
  const first = await open()
  expect(controlPlane.hellos[0]).toMatchObject({ runtime: 'docker' })
  const install = nextId()
  controlPlane.command({ ...command, id: install, kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.finished(install).length > 0, 60_000)
  expect(controlPlane.finished(install)).toMatchObject([{ ok: true, code: 'OK' }])
  const root = path.join(scratch.path, 'agent/servers', spec.identifier, 'root')
  // Written by root inside the installer, and the server's own since its end.
  expect(statSync(path.join(root, 'installed.txt')).uid).toBe(statSync(root).uid)
  expect(statSync(root).uid).toBeGreaterThanOrEqual(210_000)
  await waitFor('the installer to go', async () => (await daemon.docker.listContainers({ all: true })).length === 0)

  controlPlane.command({ ...command, id: nextId(), kind: 'power', action: 'start', spec })
  await waitFor('the server to run', () => controlPlane.lastState() === 'running', 60_000)
  const before = await watch(first, 0)
  await waitFor("the installation's output", () =>
    before.lines.some((line) => line.stream === 'i' && line.text === 'The game is unpacked.'),
  )
  const player = await join(port)
  await waitFor('the console to name the player', () => before.says('Anna joined the game'))
  before.send('send command', ['rate 500'])
  await waitFor('lines', () => before.lines.length > 500)

  const [container] = await daemon.docker.listContainers()
  const info = await daemon.docker.getContainer(container?.Id ?? '').inspect()
  const { told, listed } = besideAllowList(info, {
    imageId,
    serverId: SERVER_ID,
    root,
    uid: statSync(root).uid,
    address: { ip: daemon.namespace.address, port },
    limits: spec.limits,
    environment: ['HOME', 'LANG', 'PATH', 'SERVER_IP', 'SERVER_MEMORY', 'SERVER_PORT', 'USER'],
  })
  expect(told).toEqual(listed)

  first.process.signal('SIGKILL')
  await first.process.ended
  // Lines that it sent may arrive after its end.
  await before.closed()
  const lastSeen = before.lines.at(-1)?.seq ?? 0
  const second = await open()
  expect(controlPlane.hellos.at(-1)?.servers).toMatchObject([{ id: SERVER_ID, state: 'running' }])
  const after = await watch(second, lastSeen)
  await waitFor('the console to go on', () => after.lines.length > 500)
  after.send('send command', ['say still here'])
  await waitFor('the player to hear it', () => player.heard().includes('[Server] still here'))
  player.socket.destroy()
  controlPlane.command({ ...command, id: nextId(), kind: 'power', action: 'stop', spec })
  await waitFor('the end', () => after.says('World saved'))
  const all = [...before.lines, ...after.lines]
  expect(all.map((line) => line.seq)).toEqual(all.map((_, index) => index + 1))
  const counted = all.filter((line) => line.text.startsWith('rate ')).map((line) => Number(line.text.slice(5)))
  expect(counted).toEqual(counted.map((_, index) => index + 1))
  expect(readFileSync(path.join(root, 'starts.txt'), 'utf8').trim().split('\n')).toHaveLength(1)

  await waitFor('the state', () => controlPlane.lastState() === 'offline')
  const deletion = nextId()
  controlPlane.command({ ...command, id: deletion, generation: 2, kind: 'delete', tombstone: true })
  await waitFor('the deletion', () => controlPlane.finished(deletion).length > 0)
  expect(await daemon.docker.listContainers({ all: true })).toEqual([])
  const networks = await daemon.docker.listNetworks()
  expect(networks.filter((network) => network.Labels?.['bakter.server'] === SERVER_ID)).toEqual([])
  expect(existsSync(root)).toBe(false)
  await second.process.stop(20_000)
}, 180_000)

test('case 115: an image that the template does not list is not run, whatever the order says [A18]', async () => {
  const serverId = SERVER_ID.replace(/1$/, '2')
  const spec = buildServerSpec({
    id: serverId,
    identifier: 'acdefghk',
    image: `~${image}`,
    images: ['~bakter/other:1'],
  })
  await open()
  const install = nextId()
  controlPlane.command({ id: install, serverId, generation: 1, requestId: 'request', kind: 'install', spec })
  await waitFor('the answer', () => controlPlane.finished(install).length > 0, 60_000)
  expect(controlPlane.finished(install)).toMatchObject([
    { ok: false, code: 'INSTALL_FAILED', detail: "The image is not in the template's list." },
  ])
  expect(await daemon.docker.listContainers({ all: true })).toEqual([])
})
