import { afterAll, beforeAll, expect, it } from 'vitest'
import { STORAGE_EXCEEDED } from '#contracts/agent/session.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import { addNode, addServer, makeReachable, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { observing } from '../../factories/observing.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let node: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
  await makeReachable(database.owner, node.nodeId)
})
afterAll(() => database.close())

const deps = () => observing({ ...testContext(database.db), metrics: createMetrics({ processMetrics: false }) })
const newServer = (options: ServerOptions = {}) =>
  addServer(database.owner, node.nodeId, { installed: true, state: 'offline', power: 'stopped', ...options })
type Rented = Awaited<ReturnType<typeof newServer>>

const ask = async ({ id, ownerId }: Rented, action: 'start' | 'restart') => {
  const caller = { userId: ownerId, isAdmin: false, address: '127.0.0.1' }
  const answer = await requestPower(deps(), { caller, serverId: id, action, requestId: 'r' })
  if (!answer.ok) throw new Error(answer.code)
  return answer.commandId
}
let seq = 0
const refused = ({ id }: Rented, commandId: string, code: string = STORAGE_EXCEEDED) => {
  seq += 1
  const answer = { kind: 'command.finished', seq, atMs: Date.now(), ok: false, code, detail: '' } as const
  const event = { ...answer, commandId, serverId: id }
  return database.db.transaction((tx) => observeEvent(tx, deps(), { nodeId: node.nodeId, event }))
}
const desired = async ({ id }: Rented) => {
  const [row] = await database.owner.query<{ desired_power: string }>(
    'select desired_power from control.servers where id = $1',
    [id],
  )
  return row?.desired_power
}
/** The control plane's next step, once no failed command holds it back any longer. */
const nextStep = async ({ id }: Rented) => {
  const failed = `update control.commands set finished_at = finished_at - interval '1 day' where server_id = $1`
  await database.owner.query(failed, [id])
  return reconcileServer(id, '', deps())
}

it('a start that found no room is not tried again by itself', async () => {
  const rented = await newServer()
  await refused(rented, await ask(rented, 'start'))
  expect(await desired(rented)).toBe('stopped')
  expect(await nextStep(rented)).toEqual({ do: 'nothing', because: 'converged' })
})

it('a start that failed for another reason is tried again', async () => {
  const rented = await newServer()
  await refused(rented, await ask(rented, 'start'), 'DISK_FULL')
  expect(await desired(rented)).toBe('running')
  expect(await nextStep(rented)).toMatchObject({ do: 'step', step: { kind: 'power', action: 'start' } })
})

it('a refused restart leaves the wish of a running server', async () => {
  const rented = await newServer({ state: 'running', power: 'running' })
  await refused(rented, await ask(rented, 'restart'))
  expect(await desired(rented)).toBe('running')
})

it('a person who asks again before the refusal arrives is not overruled by it', async () => {
  const rented = await newServer()
  const first = await ask(rented, 'start')
  await database.owner.query(`update control.commands set created_at = created_at - interval '1 s' where id = $1`, [
    first,
  ])
  await database.owner.query(
    `insert into control.commands select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).* from control.commands c
     where c.id = $1`,
    [first],
  )
  await refused(rented, first)
  expect(await desired(rented)).toBe('running')
})

it('another server of the node is not stopped by a refusal that names it', async () => {
  const [rented, other] = [await newServer(), await newServer({ power: 'running' })]
  await refused({ ...rented, id: other.id }, await ask(rented, 'start'))
  expect(await desired(other)).toBe('running')
})
