import { chmodSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { buildServerSpec, nextId, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { frameOf, RawPanelSocket } from '../../support/raw-panel-socket.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let agent: AgentUnderTest
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
const fields = { serverId: SERVER_ID, generation: 1, requestId: 'request' }
const opened: { close(): void }[] = []

const start = async (): Promise<void> => {
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1' },
  })
  await agent.ready()
}
let controlPlaneUrl: string

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  bundled = await bundleAgent()
  controlPlaneUrl = await controlPlane.open()
  await start()
  controlPlane.command({ ...fields, id: nextId(), kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.lastState() === 'offline')
  controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
  await waitFor('the server to run', () => controlPlane.lastState() === 'running')
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

const user = (index: number): string => `01990000-0000-7000-8000-${String(index).padStart(12, '0')}`

const letIn = async (change: Record<string, unknown> = {}, afterSeq?: number): Promise<PanelClient> => {
  const client = new PanelClient(agent.port)
  opened.push(client)
  await client.authenticate(await controlPlane.token(change), afterSeq)
  return client
}

const openRaw = async (headers?: readonly string[]): Promise<RawPanelSocket> => {
  const raw = new RawPanelSocket(agent.port, SERVER_ID, headers)
  opened.push({ close: () => raw.destroy() })
  await raw.opened()
  return raw
}

const rawLetIn = async (change: Record<string, unknown> = {}): Promise<RawPanelSocket> => {
  const raw = await openRaw()
  raw.event('auth', [await controlPlane.token(change)])
  await waitFor('the welcome', () => raw.received.includes('auth success'))
  return raw
}

/** The server answers: nobody else has suffered. */
const expectWell = async (text: string): Promise<void> => {
  const client = await letIn({ sub: user(999) })
  client.send('send command', [`say ${text}`])
  await waitFor('the answer', () => client.says(`[Server] ${text}`))
}

describe('clients that attack the per-server socket', () => {
  it('find no token accepted from the query and none in the log [case 129]', async () => {
    const token = await controlPlane.token()
    const raw = new RawPanelSocket(agent.port, `${SERVER_ID}/ws?token=${token}#`)
    opened.push({ close: () => raw.destroy() })
    await raw.opened()
    expect(raw.received).not.toContain('auth success')
    expect(agent.process.output()).not.toContain(token)
  })

  it.each([
    ['missing', []],
    ['null', ['Origin: null']],
    ['foreign', ['Origin: http://evil.test']],
    ['a longer name', ['Origin: http://site.test.evil.test']],
    ['a name in front', ['Origin: http://evilsite.test']],
    ['of another port', ['Origin: http://site.test:81']],
    ['with another case and path', ['Origin: http://SITE.test/']],
  ])('with an origin that is %s are answered with 403 at the handshake [P16, case 130]', async (_name, headers) => {
    const raw = await openRaw(headers)
    expect(raw.handshake).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('cannot send after the close frame, and a peer that ignores it is dropped [P12, case 131]', async () => {
    const raw = await rawLetIn({ sub: user(1), iat: Math.floor(Date.now() / 1_000) - 5 })
    const witness = await letIn({ sub: user(2) })
    controlPlane.send({
      type: 'revoke',
      serverId: SERVER_ID,
      sessionId: null,
      userId: user(1),
      issuedBeforeMs: Date.now() - 1_000,
    })
    await waitFor('the farewell', () => raw.farewell === 1013)
    raw.event('send command', ['say from beyond'])
    raw.event('set state', ['kill'])
    witness.send('send command', ['say later'])
    await waitFor('the answer', () => witness.says('[Server] later'))
    expect(witness.says('[Server] from beyond')).toBe(false)
    await raw.closed()
    expect(controlPlane.lastState()).toBe('running')
  })

  it.each([
    ['one byte over the largest frame', [frameOf('x'.repeat(4_097))], 1009],
    [
      'crumbs of one byte',
      Array.from({ length: 100 }, (_, at) => frameOf('x', { opcode: at === 0 ? 1 : 0, fin: false })),
      1008,
    ],
    ['a compressed frame', [frameOf('x', { rsv: 0x40 })], 1002],
    ['broken UTF-8', [frameOf(Buffer.from([0xc3, 0x28]))], 1007],
    ['a control frame of more than 125 bytes', [frameOf('x'.repeat(126), { opcode: 9 })], 1002],
    ['a fragmented control frame', [frameOf('x', { opcode: 9, fin: false })], 1002],
    ['a good event as binary', [frameOf('{"event":"send stats","args":[]}', { opcode: 2 })], 4400],
    ['a flood of pings', Array.from({ length: 100 }, () => frameOf('', { opcode: 9 })), 4400],
    ['a flood of pongs', Array.from({ length: 100 }, () => frameOf('', { opcode: 10 })), 4400],
  ])('that send %s end only their own socket [case 134]', async (name, frames, code) => {
    const raw = await rawLetIn({ sub: user(3) })
    raw.write(...frames)
    await waitFor('the farewell', () => raw.farewell === code)
    await raw.closed()
    await expectWell(`well after ${name}`)
  })

  it('get no compression, whatever they offer [case 134]', async () => {
    const raw = await openRaw(['Origin: http://site.test', 'Sec-WebSocket-Extensions: permessage-deflate'])
    expect(raw.handshake).toMatch(/^HTTP\/1\.1 101 /)
    expect(raw.handshake?.toLowerCase()).not.toContain('sec-websocket-extensions')
  })

  it('may send 4,096 bytes in one frame [case 134]', async () => {
    const raw = await rawLetIn({ sub: user(4) })
    const around = JSON.stringify({ event: 'send command', args: [''] }).length
    raw.event('send command', [`say ${'y'.repeat(4_096 - around - 4)}`])
    await waitFor('the command to be taken', () => raw.received.includes('command accepted'))
    expect(raw.farewell).toBeUndefined()
  })

  it('with a thousand unknown event names close one socket each, and count none of the names [case 132]', async () => {
    for (let count = 0; count < 40; count += 1) {
      const raw = await rawLetIn({ sub: user(100 + count) })
      raw.event(`name ${count}`, [])
      await waitFor('the farewell', () => raw.farewell === 4400)
      raw.destroy()
    }
    await expectWell('calm')
  })

  it('may open 30 sockets of a server, and the next is closed with 4429 [P11, case 137]', async () => {
    for (let count = 0; count < 30; count += 1) await letIn({ sub: user(200 + count) })
    const client = new PanelClient(agent.port)
    opened.push(client)
    await client.opened()
    client.send('auth', [await controlPlane.token({ sub: user(300) })])
    expect(await client.closed()).toBe(4429)
  })

  it('may hold 30 unauthenticated sockets per address [case 137]', async () => {
    // Again where a machine stood still until the node had sent the first ones away.
    const waiting = await waitFor('no place', async () => {
      const crowd = await Promise.all(Array.from({ length: 30 }, () => openRaw()))
      const next = await openRaw()
      const isFull = crowd.every((raw) => raw.handshake?.startsWith('HTTP/1.1 101 '))
      if (isFull && next.handshake?.startsWith('HTTP/1.1 503 ')) return crowd
      for (const raw of [...crowd, next]) raw.destroy()
      await Promise.all(crowd.map((raw) => raw.closed()))
      return undefined
    })
    await waitFor('the silent ones to be sent away', () => waiting.every((raw) => raw.farewell === 4401))
    for (const raw of waiting) expect(raw.received).not.toContain('"event"')
    await Promise.all(waiting.map((raw) => raw.closed()))
    await expectWell('room again')
  })

  it('with a new token of another user close the socket [P2, case 129]', async () => {
    const client = await letIn({ sub: user(5) })
    client.send('auth', [await controlPlane.token({ sub: user(6) })])
    expect(await client.closed()).toBe(4403)
  })

  it('do not repeat a line when a token is renewed on the same socket [P5, P9]', async () => {
    const client = await letIn({ sub: user(7) }, 0)
    client.send('auth', [await controlPlane.token({ sub: user(7) })])
    client.send('send command', ['say renewed'])
    await waitFor('the answer', () => client.says('[Server] renewed'))
    const seqs = client.lines.map((line) => line.seq)
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
  })

  it('lose the console with a new token that may not read it [P8, case 140]', async () => {
    const client = await letIn({ sub: user(8) })
    client.send('auth', [await controlPlane.token({ sub: user(8), permissions: ['control.start'] })])
    await waitFor(
      'the second welcome',
      () => client.messages.filter(({ event }) => event === 'auth success').length === 2,
    )
    const before = client.lines.length
    await expectWell('not for everyone')
    client.send('send history', [{ before: 10, limit: 5 }])
    await waitFor('the refusal', () => client.has('daemon error'))
    expect(client.lines).toHaveLength(before)
    expect(client.has('console history')).toBe(false)
  })

  it('cannot undo a revocation, the history or its numbers by a restart of the agent [P3, P12, case 131]', async () => {
    const token = await controlPlane.token({ iat: Math.floor(Date.now() / 1_000) - 5, sub: USER_ID })
    const before = await letIn({ sub: user(9) }, 0)
    await waitFor('lines', () => before.lines.length > 5)
    controlPlane.send({
      type: 'revoke',
      serverId: SERVER_ID,
      sessionId: null,
      userId: USER_ID,
      issuedBeforeMs: Date.now() - 1_000,
    })
    await expectWell('before the restart')
    agent.process.signal('SIGKILL')
    await agent.process.ended
    await start()
    const refused = new PanelClient(agent.port)
    await refused.opened()
    refused.send('auth', [token])
    expect(await refused.closed()).toBe(4401)
    const after = await letIn({ sub: user(9) }, 0)
    await waitFor('the line', () => after.says('[Server] before the restart'))
    expect(after.lines.slice(0, before.lines.length)).toEqual(before.lines)
  })

  it('do not occupy a node with a command that no database stores [A17]', async () => {
    const client = await letIn({ sub: user(13) })
    client.raw('{"event":"send command","args":["say half \\ud83d x"]}')
    client.send('send command', [`say ${'x'.repeat(495)}😀`])
    const details = () =>
      controlPlane
        .list()
        .flatMap((event) => (event.kind === 'activity' && event.userId === user(13) ? [event.detail] : []))
    await waitFor('the activities', () => details().length === 2)
    expect(details()).toEqual(['say half \uFFFD x', `say ${'x'.repeat(495)}`])
    await waitFor('the echo', () => client.says('[Server] half \uFFFD x'))
  })

  it.each([
    ['a path that is nothing', '/nowhere', 'http://site.test'],
    ['a foreign origin', `/servers/${SERVER_ID}/ws`, 'http://evil.test'],
  ])(
    'that keep their own half of a refused handshake open are disconnected: %s [case 135]',
    async (_name, url, origin) => {
      const socket = connect({ port: agent.port, host: '127.0.0.1', allowHalfOpen: true })
      opened.push({ close: () => socket.destroy() })
      let ended = false
      socket
        .on('error', () => {})
        .on('end', () => {
          ended = true
        })
      socket.resume()
      const head = [
        'Host: node',
        `Origin: ${origin}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
      ]
      socket.write([`GET ${url} HTTP/1.1`, ...head, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', '', ''].join('\r\n'))
      await waitFor('the answer', () => ended)
      // The other side knows the connection no more: what is sent to it is answered with a reset.
      await waitFor('the reset', () => {
        if (!socket.destroyed) socket.write('x')
        return socket.destroyed
      })
      expect(ended).toBe(true)
    },
  )

  it('get 24 hours of statistics on request [P17]', async () => {
    const client = await letIn({ sub: user(10) })
    const told = () => client.messages.flatMap((message) => (message.event === 'stats history' ? message.args : []))
    await waitFor('a sample', async () => {
      client.send('send stats history', [{ fromMs: Date.now() - 60_000, step: 1 }])
      await new Promise((resolve) => setTimeout(resolve, 2_100))
      return (told().at(-1)?.times.length ?? 0) > 1
    })
    const last = told().at(-1)
    expect(last?.memory.max.at(-1)).toBeGreaterThan(1_000_000)
    expect(last?.cpu.avg).toHaveLength(last?.times.length ?? -1)
  })

  it('that flood the console are slowed down and told so with a count, and no line is lost [P14]', async () => {
    const client = await letIn({ sub: user(11) }, 0)
    client.send('send command', ['count 30000'])
    await waitFor('the end', () => client.says('count 30000'), 120_000)
    const notes = () => client.lines.filter((line) => line.stream === 'x').map((line) => line.text)
    await waitFor('the notes', () => notes().some((text) => /over [\d,]+ lines?\. No line was lost/.test(text)))
    const counted = client.lines.filter((line) => line.text.startsWith('count '))
    expect(counted).toHaveLength(30_000)
    expect(client.droppedLines).toBe(0)
  })

  it('see nothing of a deleted server in the next one in its folder [P15, case 140]', async () => {
    const client = await letIn({ sub: user(12) })
    client.send('send command', ['say for the old owner alone'])
    await waitFor('the line', () => client.says('[Server] for the old owner alone'))
    controlPlane.command({
      serverId: SERVER_ID,
      generation: 2,
      requestId: 'r',
      id: nextId(),
      kind: 'delete',
      tombstone: true,
    })
    expect(await client.closed()).toBe(4401)
    expect(client.has('deleted')).toBe(true)
    const next = buildServerSpec({ id: user(5_000), environment: { GAME_PORT: '0' } })
    const installed = nextId()
    controlPlane.command({
      serverId: next.id,
      generation: 1,
      requestId: 'r',
      id: installed,
      kind: 'install',
      spec: next,
    })
    await waitFor('the installation', () => controlPlane.finished(installed).length > 0)
    const owner = new PanelClient(agent.port, { serverId: next.id })
    opened.push(owner)
    await owner.authenticate(await controlPlane.token({ server: next.id }), 0)
    await waitFor('its own lines', () => owner.lines.length > 0)
    expect(owner.lines[0]?.seq).toBe(1)
    expect(owner.lines.some((line) => /^count |for the old owner/.test(line.text))).toBe(false)
    owner.send('send stats history', [{ fromMs: 0, step: 60 }])
    await waitFor('its statistics', () => owner.has('stats history'))
    const told = owner.messages.flatMap((message) => (message.event === 'stats history' ? message.args : []))
    expect(told[0]?.times.length).toBeLessThan(2)
  })
})
