import { once } from 'node:events'
import fs from 'node:fs'

import type { IncomingMessage } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { nextId, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { ArchiveRig, IDENTIFIER, SITE } from '../../support/archive-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

const OTHER = '01990000-0000-7000-8000-0000000010a0'
let node: ArchiveRig

beforeEach(async () => {
  node = await ArchiveRig.open()
  node.write('world', 'the world')
})
afterEach(() => node.close())

/** The bytes that a client has received so far. */
const receiving = (answer: IncomingMessage) => {
  const pieces: Buffer[] = []
  answer.on('error', () => {}).on('data', (piece: Buffer) => pieces.push(piece))
  return () => Buffer.concat(pieces)
}

const console = { purpose: 'console', permissions: ['console.read'] }

describe('the token of an archive', () => {
  it('works once: not a second time, not after a restart of the agent, and not for two simultaneous requests', async () => {
    const token = await node.token()
    expect(await node.statusOf(token)).toBe(200)
    expect(await node.statusOf(token)).toBe(401)
    await node.openDoor()
    expect(await node.statusOf(token)).toBe(401)
    const other = await node.token()
    const both = await Promise.all([node.statusOf(other), node.statusOf(other)])
    expect(both.toSorted()).toEqual([200, 401])
  })

  it('is not used up by a HEAD request, which returns what a download would', async () => {
    const token = await node.token()
    const look = { method: 'HEAD' }
    const answer = await node.ask(token, look)
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, SITE])
    expect(await node.statusOf(token, look)).toBe(200)
    expect(await node.statusOf(token)).toBe(200)
    expect(await node.statusOf(token, look)).toBe(401)
    expect(await node.statusOf(await node.token(), { method: 'POST' })).toBe(405)
  })

  it.each([
    ['a console token', console, {}],
    ['a console token as it is signed', console, { typ: 'console+jwt' }],
    ['the type of a console token', {}, { typ: 'console+jwt' }],
    ['no type', {}, { typ: undefined }],
    ['no purpose', { purpose: undefined }, {}],
    ['another node', { aud: OTHER }, {}],
    ['another server', { server: OTHER }, {}],
    ['no id', { jti: undefined }, {}],
    ['an end long ago', { exp: Math.floor(Date.UTC(2029, 11, 31) / 1_000) }, {}],
    ['no end', { exp: undefined }, {}],
    ['another key', {}, { kid: 'other' }],
  ])('is refused: %s', async (_name, change, header) => {
    expect(await node.statusOf(await node.token(change, header))).toBe(401)
    expect(await node.statusOf(await node.token(change, header), { method: 'HEAD' })).toBe(401)
  })

  it('expires within minutes', async () => {
    const token = await node.token()
    node.rig.clock.set(node.rig.clock.now() + (180 + 60) * 1_000)
    expect(await node.statusOf(token)).toBe(401)
  })

  it('opens no console, whatever permissions it names', async () => {
    for (const permissions of [undefined, ['console.read']]) {
      const token = await node.token({ permissions })
      expect(await node.tokens.read(token, SERVER_ID)).toEqual({ ok: false, code: 'INVALID_TOKEN' })
    }
    expect((await node.tokens.read(await node.token(console), SERVER_ID)).ok).toBe(true)
  })

  it('is required to learn whether a server exists', async () => {
    expect(await node.statusOf('')).toBe(401)
    expect(await node.statusOf('x.y.z', { serverId: OTHER })).toBe(401)
    expect(await node.statusOf(await node.token({ server: OTHER }), { serverId: OTHER })).toBe(404)
  })

  it('opens nothing once it is revoked, and its running download is aborted', async () => {
    node.writeLarge()
    const [held, other] = [await node.ask(await node.token()), await node.token()]
    held.on('error', () => {})
    node.revocations.add({
      serverId: null,
      sessionId: null,
      userId: USER_ID,
      issuedBeforeMs: node.rig.clock.now() + 1_000,
    })
    node.door.revoked()
    await waitFor('the end', () => node.door.downloads === 0)
    expect(await node.statusOf(other)).toBe(401)
  })

  it('appears in no log, nor does any other part of the address', async () => {
    const tokens = [await node.token(), await node.token({ purpose: 'console' }), await node.token({ server: OTHER })]
    for (const token of tokens) await node.statusOf(token)
    const lines = [...node.logged, ...node.rig.logged.map((line) => JSON.stringify(line))].join('\n')
    expect(lines).toContain('an archive was taken')
    for (const token of tokens) expect(lines).not.toContain(token.split('.')[2])
    expect(lines).not.toContain('token=')
  })
})

describe('the server of an archive', () => {
  it('must have expired, as far as the node knows', async () => {
    await node.rig.install({ generation: 2, identifier: IDENTIFIER, expiresAtMs: node.rig.clock.now() + 61_000 })
    expect(await node.statusOf(await node.token())).toBe(409)
    await node.rig.install({ generation: 3, identifier: IDENTIFIER, expiresAtMs: undefined })
    expect(await node.statusOf(await node.token())).toBe(409)
  })

  it('must be stopped, and a start aborts a running download', async () => {
    const { rig } = node
    const [past, future] = [rig.clock.now() - 1_000, rig.clock.now() + 600_000]
    node.writeLarge()
    const held = await node.ask(await node.token())
    held.on('error', () => {})
    expect(held.statusCode).toBe(200)
    await rig.power('start', { generation: 2, identifier: IDENTIFIER, expiresAtMs: future })
    await waitFor('the end', () => node.door.downloads === 0)
    rig.server().learn({ generation: 2, expiresAtMs: past })
    expect(rig.server().core.isLive).toBe(true)
    expect(await node.statusOf(await node.token())).toBe(409)
    expect(await node.statusOf(await node.token(), { method: 'HEAD' })).toBe(409)
  })

  it('must be on this node', async () => {
    node.rig.server().fence(2)
    expect(await node.statusOf(await node.token())).toBe(404)
  })

  it('is refused before anything is sent when its folder is gone', async () => {
    fs.rmSync(node.root, { recursive: true })
    expect(await node.statusOf(await node.token(), { method: 'HEAD' })).toBe(404)
    expect(await node.statusOf(await node.token())).toBe(404)
    expect(node.door.downloads).toBe(0)
  })

  it('has one download at a time, within a limit of the node, and refused clients keep their tokens', async () => {
    await node.openDoor({ atOnce: 2 })
    const roots = [await node.addServer(OTHER, 'acdefghm'), await node.addServer(USER_ID, 'acdefghn')]
    for (const root of [node.root, ...roots]) node.writeLarge(root)
    const first = await node.ask(await node.token())
    const again = await node.token()
    const refused = await node.ask(again)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30'])
    refused.resume()
    const second = await node.ask(await node.token({ server: OTHER }), { serverId: OTHER })
    const third = await node.token({ server: USER_ID, jti: nextId() })
    expect(await node.statusOf(third, { serverId: USER_ID })).toBe(503)
    expect(await node.statusOf(third, { serverId: USER_ID, method: 'HEAD' })).toBe(503)
    for (const answer of [first, second]) answer.on('error', () => {}).destroy()
    await waitFor('room', () => node.door.downloads === 0)
    expect(await node.statusOf(third, { serverId: USER_ID })).toBe(200)
    expect(await node.statusOf(again)).toBe(200)
  })

  it('is withdrawn from a client that reads nothing for a while', async () => {
    await node.openDoor({ stalledMs: 500 })
    node.writeLarge()
    const held = await node.ask(await node.token())
    held.on('error', () => {}).pause()
    await waitFor('the end', () => node.door.downloads === 0)
    expect(node.openFiles()).toEqual([])
  })
})

describe('slow readers', () => {
  const MIB = 1024 * 1024
  const PEOPLE = ['1', '2', '3', '4', '5'].map((digit) => ({
    server: `01990000-0000-7000-8000-0000000050${digit}0`,
    sub: `01990000-0000-7000-8000-0000000060${digit}0`,
    identifier: `acdefgh${'bcdfg'[Number(digit) - 1]}`,
  }))
  const start = async ({ server, sub }: { server: string; sub: string }) =>
    node.ask(await node.token({ server, sub }), { serverId: server })

  beforeEach(async () => {
    for (const { server, identifier } of PEOPLE) node.writeLarge(await node.addServer(server, identifier))
  })

  it('of four servers leave room for the fifth: the slowest is cut [S5]', async () => {
    const [fifth, ...others] = PEOPLE.toReversed()
    if (fifth === undefined) throw new Error('Nobody waits.')
    // No turn ends: what makes room is slowness alone.
    await node.openDoor({ turnMs: 36_000_000 })
    const slow = await Promise.all(others.map(start))
    let cut = 0
    for (const answer of slow) answer.on('error', () => (cut += 1)).pause()
    const refused = await start(fifth)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30'])
    refused.resume()
    const answer = await waitFor('room', async () => {
      await node.rig.timers.advance(15_000)
      const asked = await start(fifth)
      if (asked.statusCode === 200) return asked
      asked.resume()
      return undefined
    })
    const bytes = receiving(answer)
    await once(answer, 'end')
    expect(bytes()).toHaveLength(Number(answer.headers['content-length']))
    for (const one of slow) one.resume()
    await waitFor('the cut', () => cut === 1)
  })

  it('that were cut resume where they were, to the same bytes, and only with what they received [S5, P23]', async () => {
    const [first] = PEOPLE
    if (first === undefined) throw new Error('Nobody reads.')
    const whole = await start(first)
    const wanted = receiving(whole)
    await once(whole, 'end')
    const token = await node.token(first)
    const asked = { serverId: first.server }
    const begun = await node.ask(token, asked)
    const got = receiving(begun)
    await waitFor('a part', () => got().length > 5 * MIB)
    begun.destroy()
    await waitFor('the end of the download', () => node.door.downloads === 0)
    const etag = String(begun.headers.etag)
    const range = `bytes=${got().length}-`
    const statusWith = (headers: Record<string, string>) => node.statusOf(token, { ...asked, headers })
    expect(await statusWith({})).toBe(401)
    expect(await statusWith({ range })).toBe(401)
    expect(await statusWith({ range, 'if-range': String(whole.headers.etag) })).toBe(401)
    expect(await statusWith({ range: `bytes=${wanted().length}-`, 'if-range': etag })).toBe(416)
    const rest = await node.ask(token, { ...asked, headers: { range, 'if-range': etag } })
    const more = receiving(rest)
    await once(rest, 'end')
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([
      206,
      `bytes ${got().length}-${wanted().length - 1}/${wanted().length}`,
    ])
    expect(Buffer.concat([got(), more()]).equals(wanted())).toBe(true)
    await waitFor('the end of the download', () => node.door.downloads === 0)
    expect(await statusWith({ range, 'if-range': etag })).toBe(401)
  })

  it('start anew when the folder has changed meanwhile, and not at all once the token is revoked [P23]', async () => {
    const [first] = PEOPLE
    if (first === undefined) throw new Error('Nobody reads.')
    const token = await node.token(first)
    const asked = { serverId: first.server }
    const begun = await node.ask(token, asked)
    const got = receiving(begun)
    await waitFor('a part', () => got().length > 5 * MIB)
    begun.destroy()
    await waitFor('the end of the download', () => node.door.downloads === 0)
    fs.writeFileSync(`${node.rig.folder}/servers/${first.identifier}/root/later`, 'later')
    const headers = { range: `bytes=${got().length}-`, 'if-range': String(begun.headers.etag) }
    const anew = await node.ask(token, { ...asked, headers })
    expect([anew.statusCode, anew.headers['content-range']]).toEqual([200, undefined])
    expect(anew.headers.etag).not.toBe(begun.headers.etag)
    anew.on('error', () => {}).destroy()
    await waitFor('the end of the download', () => node.door.downloads === 0)
    const issuedBeforeMs = node.rig.clock.now() + 1_000
    node.revocations.add({ serverId: null, sessionId: null, userId: first.sub, issuedBeforeMs })
    node.door.revoked()
    const again = { range: 'bytes=5-', 'if-range': String(anew.headers.etag) }
    expect(await node.statusOf(token, { ...asked, headers: again })).toBe(401)
  })

  it('of one user take at most two places', async () => {
    const [first, second, third] = PEOPLE
    if (first === undefined || second === undefined || third === undefined) throw new Error('Nobody reads.')
    const of = (person: { server: string }) => start({ server: person.server, sub: first.sub })
    for (const person of [first, second]) expect((await of(person)).on('error', () => {}).pause().statusCode).toBe(200)
    const refused = await of(third)
    expect(refused.statusCode).toBe(503)
    refused.resume()
    const other = await start(third)
    expect(other.statusCode).toBe(200)
    other.on('error', () => {}).destroy()
  })
})
