import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { buildServerSpec, nextId } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { openBeside, startAgentOnDocker } from '../../support/agent-on-docker.ts'
import { bundleAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { waitFor } from '../../support/wait-for.ts'

const PACKAGE = Buffer.from('a package as it was published')
/** The requests of npm: for the description, then for the package; between the two it waits for the test. */
const INSTALLER = `
  const fs = require('node:fs')
  const registry = process.env.npm_config_registry
  const get = async (url) => {
    for (;;) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
      if (answer?.ok) return answer
      await new Promise((done) => setTimeout(done, 200))
    }
  }
  const wait = async () => {
    console.log('described at ' + registry)
    while (!fs.existsSync('go')) await new Promise((done) => setTimeout(done, 50))
  }
  ;(async () => {
    const told = await (await get(registry + '/left')).json()
    await wait()
    const bytes = Buffer.from(await (await get(told.versions['1.0.0'].dist.tarball)).arrayBuffer())
    fs.writeFileSync('package.txt', bytes)
  })()`

const servers = [
  { id: nextId(), identifier: 'acdefghj' },
  { id: nextId(), identifier: 'acdefghk' },
]

let daemon: TestDockerDaemon
let image: string
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
let registry: Server
let registryUrl: string
const asked: string[] = []
let agent: AgentUnderTest

const open = async (): Promise<void> => {
  const place = { daemon, bundle: bundled.bundle, data: path.join(scratch.path, 'agent'), controlPlane }
  agent = await startAgentOnDocker({ ...place, controlPlaneUrl: url, env: { AGENT_NPM_REGISTRY: registryUrl } })
}

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  image = (await loadTestImage(daemon.docker)).name
  bundled = await bundleAgent()
  scratch = scratchFolder()
  controlPlane = new ControlPlaneStandIn()
  url = await openBeside(daemon, controlPlane)
  registry = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url !== '/left') return void response.end(PACKAGE)
    const integrity = `sha512-${createHash('sha512').update(PACKAGE).digest('base64')}`
    const dist = { tarball: `${registryUrl}/left/-/left-1.0.0.tgz`, integrity }
    response.end(JSON.stringify({ name: 'left', versions: { '1.0.0': { name: 'left', version: '1.0.0', dist } } }))
  })
  await new Promise<void>((done) => registry.listen(0, daemon.namespace.outsideAddress, done))
  registryUrl = `http://${daemon.namespace.outsideAddress}:${(registry.address() as AddressInfo).port}`
  await open()
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  await new Promise((done) => registry.close(done))
  await daemon.remove()
  bundled.remove()
  scratch.remove()
})

const rootOf = (identifier: string): string => path.join(scratch.path, 'agent/servers', identifier, 'root')
const consoleOf = (identifier: string): string =>
  readFileSync(path.join(scratch.path, 'agent/servers', identifier, 'console/000000000001.log'), 'utf8')

const install = (server: { readonly id: string; readonly identifier: string }): string => {
  const spec = buildServerSpec({
    ...server,
    image: `~${image}`,
    install: [{ argv: ['node', '--eval', INSTALLER], timeoutMs: 60_000 }],
  })
  const id = nextId()
  controlPlane.command({ id, serverId: server.id, generation: 1, requestId: 'r', kind: 'install', spec })
  return id
}

test("containers install from the node's npm cache, which asks the registry once, also when the agent is killed meanwhile", async () => {
  const [first = { id: '', identifier: '' }, second = first] = servers
  const one = install(first)
  await waitFor('the description', () => consoleOf(first.identifier).includes('described at http://10.213.'))
  agent.process.signal('SIGKILL')
  await agent.process.ended
  await open()
  writeFileSync(path.join(rootOf(first.identifier), 'go'), '')
  await waitFor('the installation', () => controlPlane.finished(one).length > 0)
  expect(controlPlane.finished(one)).toMatchObject([{ ok: true }])
  expect(readFileSync(path.join(rootOf(first.identifier), 'package.txt')).equals(PACKAGE)).toBe(true)

  const two = install(second)
  await waitFor('the description', () => consoleOf(second.identifier).includes('described at '))
  writeFileSync(path.join(rootOf(second.identifier), 'go'), '')
  await waitFor('the installation', () => controlPlane.finished(two).length > 0)
  expect(readFileSync(path.join(rootOf(second.identifier), 'package.txt')).equals(PACKAGE)).toBe(true)
  // Containers do not reach the registry's private address at all: everything came through the node.
  expect(asked).toEqual(['/left', '/left/-/left-1.0.0.tgz'])

  // With the installations their networks went, and their doors.
  const networks = await daemon.docker.listNetworks()
  expect(networks.filter(({ Labels }) => Labels?.['bakter.kind'] === 'install')).toEqual([])
  expect(daemon.namespace.run('iptables-save', '-t', 'filter')).not.toMatch(/BAKTER-INPUT .*ACCEPT/)
}, 180_000)
