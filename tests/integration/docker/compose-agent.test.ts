import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { freePort } from '../../support/free-port.ts'
import { ownContainerUsers } from '../../support/own-users.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

const file = fileURLToPath(new URL('../../../agents/docker-compose.yml', import.meta.url))
/** The text of the service, from its name to the next line that is as far to the left. */
const service = /\n {2}agent:\n((?: {4}.*\n)+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
const listOf = (key: string): string[] =>
  (new RegExp(`^ {4}${key}: \\[(.*)\\]$`, 'm').exec(service)?.[1] ?? '').split(', ').filter((item) => item !== '')

let daemon: TestDockerDaemon
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let agent: AgentUnderTest
beforeAll(async () => {
  daemon = await startTestDockerDaemon()
  bundled = await bundleAgent()
  scratch = scratchFolder()
  controlPlane = new ControlPlaneStandIn()
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  await daemon.remove()
  bundled.remove()
  scratch.remove()
})

test('agents/docker-compose.yml gives the agent the access that the Docker driver needs', () => {
  const settings = Object.fromEntries(
    ['user', 'network_mode', 'pid', 'cgroup'].map((key) => [
      key,
      new RegExp(`^ {4}${key}: (.*)$`, 'm').exec(service)?.[1],
    ]),
  )
  expect(settings).toEqual({ user: 'root', network_mode: 'host', pid: 'host', cgroup: 'host' })
  const volumes = [...service.matchAll(/^ {6}- ([^\s#]+)$/gm)].map(([, volume = '']) => volume)
  const [socket, data = '', logs = ''] = volumes
  expect(volumes).toHaveLength(3)
  expect(socket).toBe('/var/run/docker.sock:/var/run/docker.sock')
  expect(service).toContain('AGENT_DOCKER_SOCKET: /var/run/docker.sock')
  expect(service).toContain('AGENT_RUNTIME: docker')
  // The engine looks for servers' folders on the node, under the path by which the agent names them.
  const folder = /AGENT_DATA: (\S+)/.exec(service)?.[1] ?? ''
  expect(data).toBe(`${folder}:${folder}`)
  const containers = logs.replace(/:ro$/, '')
  expect(containers.slice(0, containers.length / 2)).toBe(containers.slice(containers.length / 2 + 1))
  // Neither network nor ports of its own: it stands in the node's.
  expect(service).not.toMatch(/^ {4}(ports|networks):/m)
})

/** Runs a command as root with the rights that the service has, and no others. */
const confined = (command: string, ...args: string[]): readonly [string, ...string[]] => {
  const rights = listOf('cap_add').map((right) => `+${right.toLowerCase()}`)
  return daemon.namespace.enter(
    'setpriv',
    `--bounding-set=${['-all', ...rights].join(',')}`,
    '--inh-caps=-all',
    '--no-new-privs',
    command,
    ...args,
  )
}

test('with that access alone the agent installs, runs, measures, kills and deletes a server, and writes its files as its user', async () => {
  expect(listOf('cap_add').length).toBeGreaterThan(0)
  const { address, outsideAddress } = daemon.namespace
  const image = (await loadTestImage(daemon.docker)).name
  const ports = [await freePort(), await freePort()] as const
  await controlPlane.open(ports[0], outsideAddress)
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl: `http://${outsideAddress}:${ports[0]}`,
    enter: confined,
    env: {
      AGENT_RUNTIME: 'docker',
      AGENT_DOCKER_SOCKET: daemon.socketPath,
      HOST: address,
      AGENT_UID_BASE: String(ownContainerUsers().agentUsers),
    },
  })
  await waitFor('the agent to say hello', () => {
    agent.process.mustRun()
    return controlPlane.isConnected
  })
  const spec = buildServerSpec({ image: `~${image}`, allocations: [{ ip: address, port: ports[1], primary: true }] })
  const command = { serverId: SERVER_ID, generation: 1, requestId: 'request' }
  const install = nextId()
  controlPlane.command({ ...command, id: install, kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.finished(install).length > 0, 60_000)
  expect(controlPlane.finished(install), agent.process.output()).toMatchObject([{ ok: true }])
  controlPlane.command({ ...command, id: nextId(), kind: 'power', action: 'start', spec })
  await waitFor('the server to run', () => controlPlane.lastState() === 'running', 60_000)

  const client = new PanelClient(agent.port, { host: address })
  await client.authenticate(await controlPlane.token(), 0)
  client.send('send command', ['rate 100'])
  await waitFor('lines', () => client.lines.length > 100)

  const content = `http://${address}:${agent.port}/servers/${SERVER_ID}/files/content?path=motd.txt`
  const authorization = `Bearer ${await controlPlane.filesToken()}`
  const written = await fetch(content, { method: 'PUT', body: 'Watch', headers: { authorization } })
  expect([written.status, await written.text()], agent.process.output()).toMatchObject([
    200,
    expect.stringContaining('etag'),
  ])
  const read = await fetch(content, { headers: { authorization } })
  expect(await read.text()).toBe('Watch')
  const folder = path.join(scratch.path, 'agent/servers', spec.identifier, 'root')
  const owners = [folder, path.join(folder, 'motd.txt')].map((each) => statSync(each).uid)
  expect(owners).toEqual([ownContainerUsers().agentUsers, ownContainerUsers().agentUsers])

  const kill = nextId()
  controlPlane.command({ ...command, id: kill, kind: 'power', action: 'kill', spec })
  await waitFor('the kill', () => controlPlane.lastState() === 'offline', 60_000)
  const deletion = nextId()
  controlPlane.command({ ...command, id: deletion, generation: 2, kind: 'delete', tombstone: true })
  await waitFor('the deletion', () => controlPlane.finished(deletion).length > 0, 60_000)
  expect(controlPlane.finished(deletion), agent.process.output()).toMatchObject([{ ok: true }])
  expect(await daemon.docker.listContainers({ all: true })).toEqual([])
}, 180_000)
