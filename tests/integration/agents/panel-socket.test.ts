import { chmodSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { buildServerSpec, nextId, NODE_ID, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let agent: AgentUnderTest
const clients: PanelClient[] = []
const OTHER_USER = '01990000-0000-7000-8000-00000000cccc'
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
const fields = { serverId: SERVER_ID, generation: 1, requestId: 'request' }

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundled = await bundleAgent()
  const url = await controlPlane.open()
  const data = path.join(scratch.path, 'agent')
  agent = await startAgent({
    bundle: bundled.bundle,
    data,
    controlPlaneUrl: url,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1' },
  })
  await agent.ready()
  controlPlane.command({ ...fields, id: nextId(), kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.lastState() === 'offline')
  controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
  await waitFor('the server to run', () => controlPlane.lastState() === 'running')
})
afterEach(async () => {
  for (const client of clients) client.close()
  await Promise.all(
    clients.splice(0).map((client) => waitFor('the socket to end', () => client.closeCode !== undefined)),
  )
})
afterAll(async () => {
  await agent.process.stop(20_000)
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

const open = (options: ConstructorParameters<typeof PanelClient>[1] = {}): PanelClient => {
  const client = new PanelClient(agent.port, options)
  clients.push(client)
  return client
}

const letIn = async (change: Record<string, unknown> = {}, afterSeq?: number): Promise<PanelClient> => {
  const client = open()
  await client.authenticate(await controlPlane.token(change), afterSeq)
  return client
}

const errors = (client: PanelClient) =>
  client.messages.flatMap((message) => (message.event === 'daemon error' ? [message.args[0]] : []))

describe('per-server socket', () => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  it.each([
    ['of another server', { server: '01990000-0000-7000-8000-00000000dddd' }],
    ['of another node', { aud: '01990000-0000-7000-8000-00000000eeee' }],
    ['of another purpose', { purpose: 'file-download' }],
    ['of another issuer', { iss: 'somebody' }],
    ['that ended', { iat: nowSeconds - 1_200, exp: nowSeconds - 600 }],
    ['from the future', { iat: nowSeconds + 600, exp: nowSeconds + 1_200 }],
  ])('closes with 4401 for a token %s and sends nothing [P1, P2, case 129]', async (_name, change) => {
    const client = open()
    await client.opened()
    client.send('auth', [await controlPlane.token(change)])
    expect(await client.closed()).toBe(4401)
    expect(client.messages).toEqual([])
  })

  it('refuses a token signed by somebody else, or with an unknown key [P2]', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const forged = await new SignJWT({ server: SERVER_ID, purpose: 'console', permissions: [] })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'test' })
      .setAudience(NODE_ID)
      .setExpirationTime('5m')
      .sign(privateKey)
    for (const token of [forged, await controlPlane.token({}, { kid: 'unknown' }), 'no token']) {
      const client = open()
      await client.opened()
      client.send('auth', [token])
      expect(await client.closed()).toBe(4401)
    }
  })

  it('closes when anything arrives before auth, and when nothing arrives at all [P1, case 135]', async () => {
    const silent = open()
    const early = open()
    await Promise.all([silent.opened(), early.opened()])
    early.send('send command', ['say x'])
    expect([await early.closed(), await silent.closed()]).toEqual([4401, 4401])
    // The reaper would have closed both: the early one goes because of what it said.
    expect([early.closeReason, silent.closeReason]).toEqual(['auth first', 'no auth'])
    expect([...early.messages, ...silent.messages]).toEqual([])
  })

  it.each(['', 'null', 'http://evil.test', `${SITE_ORIGIN}.evil.test`, 'https://site.test'])(
    'refuses the origin %j at the handshake with 403 [case 130]',
    async (origin) => {
      const client = open({ origin })
      await waitFor('the answer', () => client.handshake !== undefined)
      expect(client.handshake).toBe(403)
    },
  )

  it('waits at the handshake for a server that is still being created', async () => {
    const id = '01990000-0000-7000-8000-00000000eeee'
    const client = open({ serverId: id })
    // Ten sockets of one address wait: the next ones are told at once, and the one above goes on waiting.
    const rest = Array.from({ length: 12 }, () => open({ serverId: '01990000-0000-7000-8000-00000000ffff' }))
    await waitFor('the refusals', () => rest.filter((other) => other.handshake === 404).length >= 3)
    expect(client.handshake).toBeUndefined()
    controlPlane.command({
      ...fields,
      id: nextId(),
      serverId: id,
      kind: 'install',
      spec: buildServerSpec({ id, identifier: 'ccdefghj', environment: { GAME_PORT: '0' } }),
    })
    await client.authenticate(await controlPlane.token({ server: id }))
    for (const other of rest) other.close()
    await waitFor('the places to be free', () => rest.every((other) => other.closeCode !== undefined))
  })

  it('serves only its own paths', async () => {
    const client = open({ serverId: '01990000-0000-7000-8000-00000000ffff' })
    await waitFor('the answer', () => client.handshake !== undefined)
    expect(client.handshake).toBe(404)
  })

  it.each(['not json', '[]', '{"event":"made up","args":[]}', '{"event":"set state","args":["explode"]}'])(
    'closes with 4400 for %j [P10]',
    async (text) => {
      const client = await letIn()
      client.raw(text)
      expect(await client.closed()).toBe(4400)
    },
  )

  it('closes for a frame over the limit without harm to others [case 134]', async () => {
    const client = await letIn()
    client.raw('x'.repeat(20_000))
    expect(await client.closed()).toBe(1009)
    const other = await letIn()
    await waitFor('the status for somebody else', () => other.has('status'))
  })

  it('checks the permission of each event at the time of the event [P8, case 140]', async () => {
    const client = await letIn({ permissions: ['control.start'] }, 0)
    client.send('send command', ['say forbidden'])
    client.send('set state', ['kill'])
    client.send('send history', [{ before: 100, limit: 10 }])
    await waitFor('the refusals', () => errors(client).length === 3)
    expect(errors(client)).toEqual(['FORBIDDEN console.command', 'FORBIDDEN control.stop', 'FORBIDDEN console.read'])
    expect(client.lines).toEqual([])
    expect(controlPlane.lastState()).toBe('running')
    client.send('auth', [await controlPlane.token()])
    await waitFor('the console', async () => client.messages.filter((m) => m.event === 'auth success').length === 2)
  })

  it('refuses a line break in a command, which would be two commands [P7, case 138]', async () => {
    const client = await letIn()
    client.send('send command', ['say one\nsay two'])
    await waitFor('the refusal', () => errors(client).includes('LINE_BREAK'))
    for (const separator of ['\r', '\u0000', '\r\n']) client.send('send command', [`say one${separator}say two`])
    await waitFor('the refusals', () => errors(client).filter((code) => code === 'LINE_BREAK').length === 4)
    const longest = `say ${'é'.repeat(1_900)}`
    client.send('send command', [longest, 'longest'])
    await waitFor('the longest command', () => client.says(`[Server] ${longest.slice(4)}`))
    expect(client.lines.filter((line) => /^\[Server\] (one|two)/.test(line.text))).toEqual([])
    client.send('send command', [`say ${'é'.repeat(2_048)}`])
    expect(await client.closed()).toBe(1009)
  })

  it('throttles a flood with one notice, then closes it, and serves the others [case 132]', async () => {
    const loud = await letIn()
    const quiet = await letIn({ sub: OTHER_USER })
    for (let message = 0; message < 200; message += 1) loud.send('send stats', [])
    expect(await loud.closed()).toBe(4400)
    expect(loud.messages.filter((message) => message.event === 'throttled')).toHaveLength(1)
    quiet.send('send command', ['say calm'])
    await waitFor('the answer', () => quiet.says('[Server] calm'))
  })

  it('allows 10 sockets of a user and closes the next with 4429 [P11, case 137]', async () => {
    for (let count = 0; count < 10; count += 1) await letIn()
    const client = open()
    await client.opened()
    client.send('auth', [await controlPlane.token()])
    expect(await client.closed()).toBe(4429)
    await letIn({ sub: OTHER_USER })
  })

  it('warns before a token expires, reports its expiry, and closes unless a new one arrives [P9]', async () => {
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds
    // Its end comes before the other one is closed, and late enough to be renewed on a machine that stands still for seconds.
    const renewed = await letIn({ exp: inSeconds(16) })
    const client = await letIn({ exp: inSeconds(8) })
    await waitFor('the warning', () => client.has('token expiring') && renewed.has('token expiring'))
    renewed.send('auth', [await controlPlane.token()])
    await waitFor('the end', () => client.has('token expired'))
    client.send('send command', ['say too late'])
    await waitFor('the refusal', () => client.has('jwt error'))
    expect(await client.closed()).toBe(4401)
    expect(renewed.closeCode).toBeUndefined()
    expect(renewed.has('token expired')).toBe(false)
  })

  it('closes the sockets that a revocation names, and refuses their tokens [P12, case 131]', async () => {
    const token = await controlPlane.token({ iat: Math.floor(Date.now() / 1_000) - 5 })
    const client = open()
    await client.authenticate(token)
    // Nobody else's: the revocations of a node outlive the test.
    const leaving = '01990000-0000-7000-8000-00000000dddd'
    const other = await letIn({ sub: leaving })
    controlPlane.send({
      type: 'revoke',
      serverId: SERVER_ID,
      userId: USER_ID,
      sessionId: null,
      issuedBeforeMs: Date.now() - 1_000,
    })
    // Only a share was changed: the page may ask for the present permissions.
    expect(await client.closed()).toBe(1013)
    const again = open()
    await again.opened()
    again.send('auth', [token])
    expect(await again.closed()).toBe(4401)
    expect(other.closeCode).toBeUndefined()
    controlPlane.send({
      type: 'revoke',
      serverId: null,
      userId: leaving,
      sessionId: null,
      issuedBeforeMs: Date.now() + 1_000,
    })
    expect(await other.closed()).toBe(4401)
  })

  it('does not let a stalled reader slow the others, and sends it every line later [P4, P5, P6]', async () => {
    const slow = await letIn()
    const fast = await letIn({ sub: OTHER_USER })
    slow.pause()
    fast.send('send command', ['count 30000'])
    await waitFor('the fast reader', () => fast.says('count 30000'))
    slow.resume()
    await waitFor('the slow reader', () => slow.says('count 30000'), 90_000)
    for (const client of [slow, fast]) {
      const counted = client.lines.filter((line) => line.text.startsWith('count ')).map((line) => line.text)
      expect(counted).toEqual(Array.from({ length: 30_000 }, (_, index) => `count ${index + 1}`))
    }
  })

  it('returns older lines on request and continues from a position [P4]', async () => {
    const client = await letIn({}, 3)
    await waitFor('lines', () => client.lines.length > 0)
    expect(client.lines[0]?.seq).toBe(4)
    client.send('send history', [{ before: 4, limit: 2 }])
    const older = await waitFor('older lines', () =>
      client.messages.flatMap((message) => (message.event === 'console history' ? message.args : [])).at(0),
    )
    expect(older.lines.map(([seq]) => seq)).toEqual([2, 3])
    expect(older).toMatchObject({ before: 4, isStart: false, lost: 0 })
    client.send('send history', [{ before: 3, limit: 100 }])
    const start = await waitFor('the start', () =>
      client.messages.flatMap((message) => (message.event === 'console history' ? message.args : [])).at(1),
    )
    expect(start.lines.map(([seq]) => seq)).toEqual([1, 2])
    expect(start).toMatchObject({ isStart: true, lost: 0 })
  })

  it('survives half a handshake, and names what is missing on the private port', async () => {
    const half = connect(agent.port, '127.0.0.1')
    half.on('error', () => {})
    half.write('GET /servers/x HTTP/1.1\r\nUpgr')
    const ready = await fetch(`http://127.0.0.1:${agent.healthPort}/health/ready`)
    expect(await ready.json()).toEqual({ status: 'ready', missing: [] })
    const metrics = await (await fetch(`http://127.0.0.1:${agent.healthPort}/metrics`)).text()
    expect(metrics).toContain('bakter_agent_servers{state="running"} 1')
    half.destroy()
    expect((await fetch(`http://127.0.0.1:${agent.port}/metrics`)).status).toBe(404)
  })

  it('closes with 4409 when the server is suspended, and keeps nobody [case 131]', async () => {
    const client = await letIn()
    const suspended = { ...spec, generation: 2, suspended: true }
    controlPlane.command({ ...fields, id: nextId(), generation: 2, kind: 'update', spec: suspended })
    expect(await client.closed()).toBe(4409)
    await waitFor('the stop', () => controlPlane.lastState() === 'offline')
    const again = open()
    await again.opened()
    again.send('auth', [await controlPlane.token({ iat: Math.floor(Date.now() / 1_000) })])
    expect(await again.closed()).toBe(4409)
  })
})
