import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { loadConsoleKey, type ConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { consoleToken } from '../../../control-plane/servers/access/console-token.ts'
import { filesToken } from '../../../control-plane/servers/access/files-token.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { SharedServers } from '../../factories/shared-server.ts'

// A page that hears of a change of its reader's share asks for a token at once, and the node lets nothing through that is not
// younger than the change.
const LONGEST_WAIT_MS = 2_000
/** Timers may fire this much before their time. */
const EARLY_MS = 2
/** The timers of the database's pool are longer than this. */
const POOL_MS = 10_000

let database: PlatformDatabase
let servers: SharedServers
let consoleKey: ConsoleKey
beforeAll(async () => {
  database = await platformDatabase()
  servers = await SharedServers.open(database)
  consoleKey = await loadConsoleKey(servers.context, 'the secret of the control plane')
})
afterAll(() => database.close())

/** Hears of the pauses that requests for a token make from now on: how long they take in all is the machine's matter. */
const pauses = () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  return () => timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms > 0 && ms < POOL_MS)
}

const BEFORE = { permissions: ['console.read'] } as const
const AFTER = { permissions: ['console.read', 'file.list'] } as const

const scene = async () => {
  const [owner, friend] = [await servers.person('owner'), await servers.person('friend')]
  const { id: serverId } = await servers.server(owner)
  await servers.share(owner, { serverId, person: friend }, BEFORE)
  const deps = { ...servers.context, consoleKey }
  return {
    owner,
    friend,
    serverId,
    ofConsole: () => consoleToken(deps, { caller: friend, serverId }),
    ofFiles: () => filesToken(deps, { caller: friend, serverId, request: { purpose: 'files' } }),
  }
}

it('a token that is asked for right after a change is one that the change does not revoke', async () => {
  const { owner, friend, serverId, ofConsole, ofFiles } = await scene()
  const changed = await servers.change(owner, { serverId, person: friend }, { ...AFTER, seen: BEFORE })
  expect(changed.ok).toBe(true)
  const changedAtMs = Date.now()
  const paused = pauses()
  const answers = await Promise.all([ofConsole(), ofFiles()])
  for (const ms of paused()) expect(ms).toBeLessThanOrEqual(LONGEST_WAIT_MS + EARLY_MS)
  const [revocation] = await servers.revocations(serverId)
  const issuedBeforeMs = revocation?.payload.issuedBeforeMs ?? Infinity
  expect(Math.ceil(issuedBeforeMs / 1_000) * 1_000 - changedAtMs).toBeLessThanOrEqual(LONGEST_WAIT_MS)
  for (const answer of answers) {
    if (!answer.ok) throw new Error(answer.code)
    const { iat = 0, permissions } = decodeJwt(answer.value.token)
    expect(iat * 1_000).toBeGreaterThanOrEqual(issuedBeforeMs)
    expect(permissions).toEqual(AFTER.permissions)
  }
})

it('nobody waits long after a change, and whoever is removed learns it at once', async () => {
  const { owner, friend, serverId, ofConsole } = await scene()
  await database.owner.query(
    `insert into control.revoked_shares (server_id, user_id, revoked_at) values ($1, $2, now() - interval '3 seconds')
     on conflict (server_id, user_id) do update set revoked_at = excluded.revoked_at`,
    [serverId, friend.userId],
  )
  const paused = pauses()
  expect((await ofConsole()).ok).toBe(true)
  expect(paused()).toEqual([])
  await servers.remove(owner, serverId, friend)
  expect(await ofConsole()).toEqual({ ok: false, code: 'NOT_FOUND' })
  expect(paused()).toEqual([])
})
