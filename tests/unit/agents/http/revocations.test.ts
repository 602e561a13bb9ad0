import { beforeEach, describe, expect, it } from 'vitest'

import { Revocations } from '../../../../agents/http/revocations.ts'
import type { Disk } from '../../../../agents/platform/disk.ts'
import type { ConsoleTokenClaims } from '../../../../src/contracts/panel/token.ts'
import { NODE_ID, nextId, SERVER_ID, USER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

const OTHER = '01990000-0000-7000-8000-00000000cccc'
let clock: ManualClock
let files: Map<string, string>
let isFull: boolean

beforeEach(() => {
  clock = new ManualClock()
  files = new Map()
  isFull = false
})

const disk: Disk = {
  read: (file) => files.get(file),
  writeAtomically: (file, text) => {
    if (isFull) throw new Error('ENOSPC')
    files.set(file, text)
  },
  reserve: () => {},
  writeInReserve: () => {},
  makeFolder: () => {},
  list: () => [],
  remove: () => {},
  rename: () => {},
}
const open = () => new Revocations(disk, 'revocations.json', clock)

const claimsOf = (change: Partial<ConsoleTokenClaims> = {}): ConsoleTokenClaims => ({
  iss: 'bakter-control-plane',
  aud: NODE_ID,
  sub: USER_ID,
  sid: null,
  jti: nextId(),
  iat: Math.floor(clock.now() / 1_000) - 10,
  exp: Math.floor(clock.now() / 1_000) + 590,
  purpose: 'console',
  server: SERVER_ID,
  permissions: [],
  address: '',
  ...change,
})

describe('revocations [P12]', () => {
  it('covers the tokens of those who look as that person, and of nobody who looks as another', () => {
    const revocations = open()
    const looking = { sub: OTHER, seesAs: true, seen: USER_ID } as const
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: USER_ID, issuedBeforeMs: clock.now() })
    expect(revocations.covers(claimsOf(looking))).toBe(true)
    expect(revocations.covers(claimsOf({ ...looking, seen: nextId() }))).toBe(false)
    expect(revocations.covers(claimsOf({ ...looking, server: OTHER }))).toBe(false)
    // The sessions of the person who is seen are not those of whoever looks.
    revocations.add({ serverId: null, sessionId: null, userId: looking.seen, issuedBeforeMs: clock.now() })
    expect(revocations.covers(claimsOf({ ...looking, server: OTHER }))).toBe(false)
    expect(revocations.covers(claimsOf({ ...looking, iat: Math.floor(clock.now() / 1_000) + 1 }))).toBe(false)
  })

  it('covers the tokens of one user and server from before it, or of everybody', () => {
    const revocations = open()
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: USER_ID, issuedBeforeMs: clock.now() })
    expect(revocations.covers(claimsOf())).toBe(true)
    expect(revocations.covers(claimsOf({ sub: OTHER }))).toBe(false)
    expect(revocations.covers(claimsOf({ server: OTHER }))).toBe(false)
    expect(revocations.covers(claimsOf({ iat: Math.floor(clock.now() / 1_000) + 1 }))).toBe(false)
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: null, issuedBeforeMs: clock.now() })
    expect(revocations.covers(claimsOf({ sub: OTHER }))).toBe(true)
  })

  it('of a session covers its tokens on every server, whatever their time, and no other session', () => {
    const revocations = open()
    const sid = nextId()
    revocations.add({ serverId: null, sessionId: sid, userId: null, issuedBeforeMs: clock.now() - 60_000 })
    expect(revocations.covers(claimsOf({ sid }))).toBe(true)
    expect(revocations.covers(claimsOf({ sid, server: OTHER }))).toBe(true)
    expect(revocations.covers(claimsOf({ sid: nextId() }))).toBe(false)
    expect(open().covers(claimsOf({ sid }))).toBe(true)
  })

  it('stands over a restart, also when an older one arrives late', () => {
    const revocations = open()
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: USER_ID, issuedBeforeMs: clock.now() })
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: USER_ID, issuedBeforeMs: clock.now() - 60_000 })
    expect(open().covers(claimsOf())).toBe(true)
  })

  it('is forgotten when no token of its time can be valid any more', () => {
    const revocations = open()
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: USER_ID, issuedBeforeMs: clock.now() })
    const old = claimsOf()
    // A download link lives longer than a console's token.
    clock.set(clock.now() + 16 * 60_000)
    revocations.add({ serverId: OTHER, sessionId: null, userId: null, issuedBeforeMs: clock.now() })
    expect(revocations.covers(old)).toBe(true)
    clock.set(clock.now() + 2 * 60_000)
    revocations.add({ serverId: OTHER, sessionId: null, userId: null, issuedBeforeMs: clock.now() })
    expect(revocations.covers(old)).toBe(false)
    expect(files.get('revocations.json')).not.toContain(USER_ID)
  })

  it('is in force on a full disk, and a damaged file is as if there were none', () => {
    isFull = true
    const revocations = open()
    revocations.add({ serverId: SERVER_ID, sessionId: null, userId: USER_ID, issuedBeforeMs: clock.now() })
    expect(revocations.covers(claimsOf())).toBe(true)
    files.set('revocations.json', '{"version":1,')
    expect(open().covers(claimsOf())).toBe(false)
  })
})
