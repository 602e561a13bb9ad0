import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startRun } from '#domain/billing/due-run.ts'
import { reconcileAll } from '../../../control-plane/servers/provisioning/reconcile-loop.ts'
import { whereDue } from '../../../control-plane/servers/provisioning/where-due.ts'
import { findDueServers } from '../../../control-plane/servers/store/due-servers.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
const HOUR_MS = 3_600_000
const MANY = 210

let database: ControlDatabase
let shop: Shop
let node: ReturnType<typeof answeringNode>
let waitingId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000 })
  node = answeringNode(database, shop)
})
beforeEach(async () => {
  await database.owner.query('delete from control.commands')
  await database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted'`)
  await database.owner.query(`update control.server_state set state = 'deleted'`)
  const userId = await userWith(database.db, 990n)
  waitingId = (await paidServer(database.db, { shop, userId, nowMs: START_MS })).serverId
  await node.sees(waitingId, 'offline')
  await node.beatAt(START_MS)
})
afterAll(() => database.close())

/** So many servers before the one that waits, in the order of ids. */
async function others({ desired, state }: { desired: 'installed' | 'deleted'; state: string }): Promise<void> {
  await database.owner.query(
    `insert into control.servers (id, identifier, owner_id, node_id, service_id, template_id, name, desired, desired_power, spec,
       service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, expires_at, created_at, generation)
     select overlay(gen_random_uuid()::text placing '00000000' from 1)::uuid, gen_random_uuid()::text, owner_id, node_id, service_id,
       template_id, name, $2, 'stopped', jsonb_set(spec, '{generation}', '3'), service_name, 1, 1, 1, 990, expires_at, created_at, 3
     from control.servers, generate_series(1, $3) where id = $1`,
    [waitingId, desired, MANY],
  )
  await database.owner.query(
    `insert into control.server_state (server_id, state, observed_generation, installed, since, updated_at)
     select id, $1, 2, true, $2, $2 from control.servers where starts_with(id::text, '00000000') and deleted_at is null
     on conflict (server_id) do nothing`,
    [state, new Date(START_MS)],
  )
}

it('a server gets its step although hundreds of earlier ones refuse their deletion and are postponed', async () => {
  await others({ desired: 'deleted', state: 'offline' })
  const deps = node.depsAt(START_MS)
  expect(await reconcileAll(deps)).toBe(MANY + 1)
  await database.owner.query(
    `update control.commands set state = case kind when 'delete' then 'failed' else 'superseded' end, finished_at = $1`,
    [new Date(START_MS)],
  )
  expect(await reconcileAll(deps)).toBe(1)
  const open = `select server_id as id, kind from control.commands where state = 'pending'`
  expect(await database.owner.query(open)).toEqual([{ id: waitingId, kind: 'power' }])
})

it.each(['unknown', 'deleted', 'deleting'])(
  'servers that are %s on their node wait for a person, and get no commands',
  async (state) => {
    await others({ desired: 'installed', state })
    const due = await findDueServers(database.db, startRun(START_MS))
    expect(due.map(({ id }) => id)).toEqual([waitingId])
  },
)

it('a node that lost its record of a server gets it again', async () => {
  await database.owner.query(
    `update control.server_state set state = 'unknown', observed_generation = 0 where server_id = $1`,
    [waitingId],
  )
  expect(await reconcileAll(node.depsAt(START_MS))).toBe(1)
})

it('of servers that changed together, those that need a step become tasks, and none does while their node is away', async () => {
  await others({ desired: 'installed', state: 'unknown' })
  const ids = (await database.owner.query<{ id: string }>('select id from control.servers')).map(({ id }) => id)
  const messages = ids.map((serverId) => ({
    id: serverId,
    topic: 'provision-server' as const,
    requestId: 'req',
    payload: { serverId },
    isLate: false,
  }))
  const tasksAt = async (nowMs: number) => {
    const tasks: string[] = []
    const provision = whereDue(node.depsAt(nowMs), async (needed) => {
      tasks.push(...needed.map(({ payload }) => payload.serverId))
    })
    await provision(messages)
    return tasks
  }
  expect(await tasksAt(START_MS)).toEqual([waitingId])
  expect(await tasksAt(START_MS + HOUR_MS)).toEqual([])
})
