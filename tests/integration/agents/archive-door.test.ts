import fs from 'node:fs'

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
    await node.openDoor({ maxAtOnce: 2 })
    const roots = [await node.addServer(OTHER, 'acdefghm'), await node.addServer(USER_ID, 'acdefghn')]
    for (const root of [node.root, ...roots]) node.writeLarge(root)
    const first = await node.ask(await node.token())
    const again = await node.token()
    const refused = await node.ask(again)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '120'])
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
