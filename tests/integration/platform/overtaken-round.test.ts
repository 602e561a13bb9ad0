import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { observing } from '../../factories/observing.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import { addNode, addServer, makeReachable } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase()
})
afterAll(() => database.close())

const commandsOf = (id: string) =>
  database.owner.query<{ id: string }>('select id from control.commands where server_id = $1', [id])

it('an update that ends between two reads of a round is not sent again', async () => {
  const context = { ...testContext(database.db), metrics: createMetrics() }
  const nodeId = (await addNode(database.owner, 'http://between.test:8080')).nodeId
  await makeReachable(database.owner, nodeId)
  const { id } = await addServer(database.owner, nodeId, {
    installed: true,
    state: 'offline',
    power: 'stopped',
    generation: 3,
    observedGeneration: 2,
  })
  expect(await reconcileServer(id, '', context)).toMatchObject({ do: 'step' })
  const [command] = await commandsOf(id)
  const event = {
    seq: 1,
    atMs: Date.now(),
    commandId: command?.id ?? '',
    serverId: id,
    ok: true,
    code: 'OK',
    detail: '',
  }
  let hasEnded = false
  const end = async () => {
    if (hasEnded) return
    hasEnded = true
    const said = { nodeId, event: { kind: 'command.finished', ...event } } as const
    await database.db.transaction((tx) => observeEvent(tx, observing(context), said))
  }
  const between: typeof context.db = {
    ...database.db,
    transaction: (work) =>
      database.db.transaction((tx) =>
        work({
          ...tx,
          query: async (text, values) => {
            if (text.includes('from control.commands')) await end()
            return tx.query(text, values)
          },
        }),
      ),
  }
  const plan = await reconcileServer(id, '', { ...context, db: between })
  expect(plan).toEqual({ do: 'nothing', because: 'converged' })
  expect(await commandsOf(id)).toHaveLength(1)
})
