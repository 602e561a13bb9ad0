import { chmodSync } from 'node:fs'
import path from 'node:path'

import { WebSocket as BrowserWebSocket } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { protocolsWith } from '../../../src/contracts/socket-proof.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { RawPanelSocket } from '../../support/raw-panel-socket.ts'
import { waitFor } from '../../support/wait-for.ts'

const ADDRESSES = Array.from({ length: 7 }, (_, at) => `127.0.7.${at + 1}`)
const SOCKETS_EACH = 30
const NOT_HERE_YET = '01990000-0000-7000-8000-0000000077a0'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let agent: AgentUnderTest
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
const opened: { close(): void }[] = []

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundled = await bundleAgent()
  const controlPlaneUrl = await controlPlane.open()
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1' },
  })
  await agent.ready()
  controlPlane.command({ serverId: SERVER_ID, generation: 1, requestId: 'r', id: nextId(), kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.lastState() === 'offline')
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

const connect = (options: ConstructorParameters<typeof PanelClient>[1]): PanelClient => {
  const client = new PanelClient(agent.port, options)
  opened.push(client)
  return client
}

/** Each address keeps its sockets open without authenticating, and opens another one for each that the node closes. */
const flood = (serverId: string, { addresses, each }: { addresses: readonly string[]; each: number }) => {
  let isOver = false
  let reopened = 0
  const open = new Set<RawPanelSocket>()
  const keepOne = (from: string): void => {
    const raw = new RawPanelSocket(agent.port, serverId, undefined, from)
    open.add(raw)
    raw.onClosed = () => {
      open.delete(raw)
      if (isOver) return
      reopened += 1
      setImmediate(() => keepOne(from))
    }
  }
  for (const address of addresses) for (let count = 0; count < each; count += 1) keepOne(address)
  opened.push({
    close: () => {
      isOver = true
      for (const raw of open) raw.destroy()
    },
  })
  return { reopened: () => reopened }
}

describe('seven addresses that keep 30 sockets each open without a token', () => {
  it('hold no place of a person whose handshake carries a token [S2, P11, P22]', async () => {
    const attack = flood(SERVER_ID, { addresses: ADDRESSES, each: SOCKETS_EACH })
    await waitFor('no place without proof', async () => (await connect({ from: '127.0.8.1' }).answered()) === 503)
    for (let turn = 0; turn < 10; turn += 1) {
      const proof = await controlPlane.token()
      const client = connect({ proof, from: '127.0.8.2' })
      expect(await client.answered()).toBe(101)
      await client.authenticate(proof)
      client.close()
    }
    expect(attack.reopened()).toBeGreaterThan(0)
  })

  it('make the node tell others without proof when to try again', async () => {
    flood(SERVER_ID, { addresses: ADDRESSES, each: SOCKETS_EACH })
    const refused = await waitFor('a refusal', async () => {
      const client = connect({ from: '127.0.8.1' })
      return (await client.answered()) === 503 ? client : undefined
    })
    expect(Number(refused.retryAfter)).toBeGreaterThan(0)
  })

  it('do not keep a person from a server that is still arriving at its node [S2, P18]', async () => {
    flood(NOT_HERE_YET, { addresses: ADDRESSES, each: 10 })
    await waitFor('no place to wait', async () => {
      const client = connect({ serverId: NOT_HERE_YET, from: '127.0.8.1' })
      const waits = new Promise<'waits'>((resolve) => setTimeout(() => resolve('waits'), 300))
      return (await Promise.race([client.answered(), waits])) !== 'waits'
    })
    const proof = await controlPlane.token({ server: NOT_HERE_YET })
    const client = connect({ serverId: NOT_HERE_YET, proof, from: '127.0.8.2' })
    const next = buildServerSpec({ id: NOT_HERE_YET, identifier: 'acdefgh6', environment: { GAME_PORT: '0' } })
    const fields = { serverId: NOT_HERE_YET, generation: 1, requestId: 'r', id: nextId() }
    controlPlane.command({ ...fields, kind: 'install', spec: next })
    expect(await client.answered()).toBe(101)
    await client.authenticate(proof)
    expect(client.has('auth success')).toBe(true)
  })
})

describe('proof in the handshake', () => {
  it.each(['', 'capacitor://localhost', 'https://localhost'])(
    'admits a client whose origin is %j, which gets no socket without it [P16]',
    async (origin) => {
      expect(await connect({ origin }).answered()).toBe(403)
      const proof = await controlPlane.token()
      expect(await connect({ origin, proof }).answered()).toBe(101)
      const headers = { authorization: `Bearer ${proof}` }
      expect(await connect({ origin, headers }).answered()).toBe(101)
    },
  )

  it.each(['http://evil.test', 'null', 'http://localhost', 'capacitor://localhost.evil.test'])(
    'does not admit a page of %s [P16]',
    async (origin) => {
      expect(await connect({ origin, proof: await controlPlane.token() }).answered()).toBe(403)
    },
  )

  it.each([
    ['is no token', () => 'x.y.z'],
    ['is for another server', () => controlPlane.token({ server: NOT_HERE_YET.replace('77a0', '77a1') })],
    ['has expired', () => controlPlane.token({ iat: 1_000, exp: 2_000 })],
  ])('that %s is refused with 401, and no socket opens [P2, P22]', async (_name, make) => {
    expect(await connect({ proof: await make() }).answered()).toBe(401)
  })

  it('authenticates nobody: the first message is still `auth`, as of clients of other panels [P1, P22]', async () => {
    const proof = await controlPlane.token()
    const client = connect({ proof })
    await client.opened()
    client.send('send command', ['say too early'])
    expect(await client.closed()).toBe(4401)
    expect(client.messages).toEqual([])
  })

  it('is admitted from a WebSocket as browsers have it, which insists on the name that the node echoes [P22]', async () => {
    const proof = await controlPlane.token()
    const url = `ws://127.0.0.1:${agent.port}/servers/${SERVER_ID}/ws`
    const socket = new BrowserWebSocket(url, { protocols: protocolsWith(proof), headers: { origin: SITE_ORIGIN } })
    opened.push(socket)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = () => reject(new Error('The socket did not open.'))
    })
    expect(socket.protocol).toBe('bakter')
  })

  it('is never echoed [P22]', async () => {
    const proof = await controlPlane.token()
    const raw = new RawPanelSocket(agent.port, SERVER_ID, [
      'Origin: http://site.test',
      `Sec-WebSocket-Protocol: bakter.token.${proof}`,
    ])
    opened.push({ close: () => raw.destroy() })
    await raw.opened()
    expect(raw.handshake).toMatch(/^HTTP\/1\.1 101 /)
    expect(raw.handshake).not.toContain('bakter.token')
    expect(agent.process.output()).not.toContain(proof)
  })
})
