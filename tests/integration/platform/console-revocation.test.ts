import { chmodSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InternalCallName, InternalInput } from '#contracts/internal-api/calls.ts'
import { INTERNAL_CALLS } from '#contracts/internal-api/calls.ts'
import { systemIds } from '#platform/ids.ts'
import { addComputer, addServer } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { startProgram, type TestProgram } from '../../factories/program.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

// The control plane and an agent as processes, and browsers' sockets to the agent: what happens to them when the site tells
// that a session has ended.
const scratch = scratchFolder()
const clients: PanelClient[] = []
let database: PlatformDatabase
let program: TestProgram
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let agent: AgentUnderTest
let server: { id: string; ownerId: string }

async function call<Name extends InternalCallName>(name: Name, input: InternalInput<Name>) {
  const answer = await fetch(`${program.internalUrl}/internal/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-internal-secret': program.env['INTERNAL_SECRET'] ?? '' },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`)
  return INTERNAL_CALLS[name].output.parse(await answer.json())
}

const callerOf = (userId: string, sessionId: string | null, isAdmin = false) =>
  ({ userId, sessionId, locale: 'en', address: '127.0.0.1', isAdmin, isSupport: false, isVerified: true }) as const

const tokenOf = async (userId: string, sessionId: string, seesAs?: string) => {
  const own = callerOf(userId, sessionId, userId !== server.ownerId)
  const caller = seesAs === undefined ? own : { ...own, seesAs }
  const access = await call('console-access', { caller, serverId: server.id })
  return (access as { token: string }).token
}

const open = (): PanelClient => {
  const client = new PanelClient(agent.port, { serverId: server.id, origin: program.env['SITE_URL'] ?? '' })
  clients.push(client)
  return client
}

const consoleOf = async (userId: string, sessionId: string) => {
  const client = open()
  const token = await tokenOf(userId, sessionId)
  await client.authenticate(token)
  return { client, token }
}

beforeAll(async () => {
  chmodSync(scratch.path, 0o755)
  database = await platformDatabase()
  ;[program, bundled] = await Promise.all([startProgram(database.url), bundleAgent()])
  const computerId = await addComputer(database.owner)
  const enrolment = await call('enrolment-token', { caller: callerOf(computerId, null, true), computerId })
  agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl: program.publicUrl,
    env: {
      AGENT_STOP_SERVERS_ON_EXIT: '1',
      AGENT_RUNTIME: 'fake',
      AGENT_ENROLMENT_TOKEN: (enrolment as { token: string }).token,
    },
  })
  await agent.ready()
  const node = await waitFor('the node', async () => {
    const rows = await database.owner.query<{ id: string }>('select id from control.nodes')
    return rows[0]?.id
  })
  server = await addServer(database.owner, node, { power: 'stopped' })
})
afterAll(async () => {
  for (const client of clients) client.close()
  await agent.process.stop(20_000)
  await program.process.stop()
  await database.close()
  bundled.remove()
  scratch.remove()
})

it('P12 the consoles of an ended session are closed, and its tokens are refused', async () => {
  const [ended, kept] = [systemIds.next(), systemIds.next()]
  const [mine, sibling] = [await consoleOf(server.ownerId, ended), await consoleOf(server.ownerId, kept)]
  await call('session-ended', { userId: server.ownerId, sessionId: ended })
  expect(await mine.client.closed()).toBe(4401)
  const again = open()
  await again.opened()
  again.send('auth', [mine.token])
  expect(await again.closed()).toBe(4401)
  expect(sibling.client.closeCode).toBeUndefined()
})

it('P12 every console of a person is closed when all sessions end, and nobody else’s', async () => {
  const [first, second] = [
    await consoleOf(server.ownerId, systemIds.next()),
    await consoleOf(server.ownerId, systemIds.next()),
  ]
  const other = await consoleOf(systemIds.next(), systemIds.next())
  await call('session-ended', { userId: server.ownerId, sessionId: null })
  expect(await Promise.all([first.client.closed(), second.client.closed()])).toEqual([4401, 4401])
  expect(other.client.closeCode).toBeUndefined()
})

it('an end missed by the node closes the console after the gap', async () => {
  const sessionId = systemIds.next()
  const userId = systemIds.next()
  const { client } = await consoleOf(userId, sessionId)
  await database.owner.query(
    'insert into control.ended_sessions (id, user_id, session_id, ended_at) values ($1, $2, $3, now())',
    [systemIds.next(), userId, sessionId],
  )
  await database.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'listen:bakter_events'`,
  )
  expect(await client.closed()).toBe(4401)
})

/** A console of the owner, who may look as somebody. A token from the second of an earlier revocation is refused. */
const admitted = (seesAs?: string): Promise<PanelClient> =>
  waitFor('a console', async () => {
    const client = open()
    await client.opened()
    client.send('auth', [await tokenOf(server.ownerId, systemIds.next(), seesAs)])
    await waitFor('an answer', () => client.has('auth success') || client.closeCode !== undefined)
    return client.closeCode === undefined && client
  })

it('P12 a changed or ended share closes the consoles of those who look as its person, and of nobody else', async () => {
  const [seen, other] = [systemIds.next(), systemIds.next()]
  for (const id of [seen, other]) {
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console.read,file.list}', now())`,
      [server.id, id],
    )
  }
  const { ownerId } = server
  const [own, asOther, asSeen] = [await admitted(), await admitted(other), await admitted(seen)]
  const caller = callerOf(ownerId, null)
  const before = { permissions: ['console.read', 'file.list'] as ('console.read' | 'file.list')[], endsAt: null }
  const request = { permissions: ['console.read'] as 'console.read'[], endsAt: null, seen: before }
  await call('change-collaborator', { caller, serverId: server.id, userId: seen, request })
  expect(await asSeen.closed()).toBe(1013)
  // The page asks again at once, and has what the person has now: its token is younger than the change.
  const again = open()
  await again.authenticate(await tokenOf(ownerId, systemIds.next(), seen))
  await call('remove-collaborator', { caller, serverId: server.id, userId: seen })
  expect(await again.closed()).toBe(1013)
  await expect(tokenOf(ownerId, systemIds.next(), seen)).rejects.toThrow('404')
  expect([own.closeCode, asOther.closeCode]).toEqual([undefined, undefined])
})
