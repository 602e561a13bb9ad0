import { chmodSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

import { WebSocket as UndiciWebSocket } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket as WsWebSocket } from 'ws'

import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../../support/control-plane-stand-in.ts'
import { freePorts } from '../../support/free-port.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let agent: AgentUnderTest
let controlPlaneUrl: string
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundled = await bundleAgent()
  controlPlaneUrl = await controlPlane.open()
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1' },
  })
  await agent.ready()
  controlPlane.command({ id: nextId(), serverId: SERVER_ID, generation: 1, requestId: 'r', kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.lastState() === 'offline')
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

const address = () => `ws://127.0.0.1:${agent.port}/servers/${SERVER_ID}/ws`
const makers = {
  ws: () => new WsWebSocket(address(), { origin: SITE_ORIGIN }),
  undici: () => new UndiciWebSocket(address(), { headers: { origin: SITE_ORIGIN } }),
}

/** The socket as the browser of a Wings panel uses it: names of events and arguments in its way, and nothing of ours. */
class WingsClient {
  readonly heard: { event: string; args?: unknown[] }[] = []
  closeCode: number | undefined
  isOpen = false
  readonly #socket: WsWebSocket | UndiciWebSocket

  constructor(make: () => WsWebSocket | UndiciWebSocket) {
    this.#socket = make()
    this.#socket.onopen = () => {
      this.isOpen = true
    }
    this.#socket.onmessage = ({ data }: { data: unknown }) =>
      this.heard.push(JSON.parse(String(data)) as { event: string; args?: unknown[] })
    this.#socket.onclose = ({ code }: { code: number }) => {
      this.closeCode = code
    }
  }

  send(event: string, payload?: unknown): void {
    this.#socket.send(JSON.stringify({ event, args: Array.isArray(payload) ? payload : [payload] }))
  }

  has(event: string): boolean {
    return this.heard.some((message) => message.event === event)
  }

  get states(): unknown[] {
    return this.heard.flatMap(({ event, args }) => (event === 'status' ? [args?.[0]] : []))
  }

  get lines(): string[] {
    type Line = [number, number, string, string]
    return this.heard.flatMap(({ event, args }) =>
      event === 'console output' ? ((args?.[0] ?? []) as Line[]).map(([, , , text]) => text) : [],
    )
  }

  close(): void {
    this.#socket.close()
  }
}

describe('a node', () => {
  it('refuses a second agent on its folder with one sentence, and continues', async () => {
    const second = await startAgent({ bundle: bundled.bundle, data: path.join(scratch.path, 'agent'), controlPlaneUrl })
    expect(await second.process.ended).toEqual({ code: 1, signal: null })
    expect(second.process.output()).toMatch(/^Another agent \(process \d+\) already uses .*\.$/m)
    const ready = await fetch(`http://127.0.0.1:${agent.healthPort}/health/ready`)
    expect(ready.status).toBe(200)
  })

  it('runs a server at an IPv6 allocation as at an IPv4 one', async () => {
    const id = '01990000-0000-7000-8000-000000000006'
    const [port = 0] = await freePorts(1)
    const change = { id, identifier: 'acdefgh6', environment: {}, allocations: [{ ip: '::1', port, primary: true }] }
    const fields = { serverId: id, generation: 1, requestId: 'r', spec: buildServerSpec(change) }
    controlPlane.command({ ...fields, id: nextId(), kind: 'install' })
    await waitFor('the installation', () => controlPlane.lastState(id) === 'offline')
    controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start' })
    await waitFor('the server to run', () => controlPlane.lastState(id) === 'running')
    const player = connect(port, '::1')
    player.setEncoding('utf8').on('data', (text: string) => heard.push(text))
    const heard: string[] = []
    player.write('anna\nhello\n')
    await waitFor('the chat', () => heard.join('').includes('hello'))
    expect(heard.join('')).toContain('<anna> hello')
    player.destroy()
    controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'kill' })
    await waitFor('the end', () => controlPlane.lastState(id) === 'offline')
  })
})

describe('clients of other panels', () => {
  it.each(['ws', 'undici'] as const)(
    'start, command and stop a server over %s, in the protocol of Wings',
    async (name) => {
      const client = new WingsClient(makers[name])
      await waitFor('the socket to open', () => client.isOpen)
      client.send('auth', await controlPlane.token())
      await waitFor('the welcome', () => client.has('auth success'))
      client.send('send logs')
      client.send('send stats')
      await waitFor('the state and the statistics', () => client.states.length > 0 && client.has('stats'))
      expect(client.states).toEqual(['offline'])
      const stats = JSON.parse(String(client.heard.find(({ event }) => event === 'stats')?.args?.[0])) as object
      expect(Object.keys(stats)).toEqual(
        expect.arrayContaining([
          'memory_bytes',
          'memory_limit_bytes',
          'cpu_absolute',
          'network',
          'state',
          'disk_bytes',
          'uptime',
        ]),
      )
      client.send('set state', 'start')
      await waitFor('the server to run', () => client.states.includes('running'))
      client.send('send command', [`say over ${name}`])
      await waitFor('the answer', () => client.lines.includes(`[Server] over ${name}`))
      client.send('set state', 'stop')
      await waitFor('the end', () => client.states.at(-1) === 'offline')
      expect(client.states).toEqual(['offline', 'starting', 'running', 'stopping', 'offline'])
      // Lines that were asked for as logs came once: no line stands there twice.
      expect(client.lines.filter((line) => line === `[Server] over ${name}`)).toHaveLength(1)
      expect(client.closeCode).toBeUndefined()
      client.close()
      await waitFor('the farewell', () => client.closeCode !== undefined)
      expect(client.closeCode).toBe(1005)
    },
  )

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'are disconnected for the event %j [P10]',
    async (event) => {
      const client = new WingsClient(makers.ws)
      await waitFor('the socket to open', () => client.isOpen)
      client.send('auth', await controlPlane.token())
      await waitFor('the welcome', () => client.has('auth success'))
      client.send(event, [])
      await waitFor('the farewell', () => client.closeCode !== undefined)
      expect(client.closeCode).toBe(4400)
    },
  )
})
