import { afterAll, beforeAll, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { observing } from '../../factories/observing.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
const RENEWED_MS = START_MS + BILLING_MONTH_MS + DAY_MS

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

it('T42: a renewed server whose start its node refuses is started again, and charged once', async () => {
  const userId = await userWith(database.db, 1980n)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  await database.owner.query(
    `update control.servers set desired_power = 'stopped', stopped_by_expiry = true where id = $1`,
    [serverId],
  )
  await database.owner.query(`update control.server_state set state = 'offline' where server_id = $1`, [serverId])
  const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
  const command = renewCommand({ userId, serverId })
  expect(await renewServer(at(RENEWED_MS), command)).toMatchObject({ ok: true })
  const metrics = createMetrics({ processMetrics: false })
  const answers = [
    ['update', true],
    ['power', false],
    ['power', false],
    ['power', true],
  ] as const
  for (const [attempt, [kind, ok]] of answers.entries()) {
    const nowMs = RENEWED_MS + attempt * 600_000
    await database.owner.query('update control.agent_sessions set renewed_at = $1', [new Date(nowMs)])
    const deps = { ...at(nowMs), metrics }
    expect(await reconcileServer(serverId, 'r', deps)).toMatchObject({ do: 'step', step: { kind } })
    const [sent] = await database.owner.query<{ id: string }>(
      'select id from control.commands where server_id = $1 order by id desc limit 1',
      [serverId],
    )
    const told = { ok, code: ok ? '' : 'DRIVER_FAILED', detail: '', commandId: sent?.id ?? '', serverId }
    const event = { kind: 'command.finished', seq: attempt + 1, atMs: nowMs, ...told } as const
    await database.db.transaction((tx) => observeEvent(tx, observing(deps), { nodeId: shop.nodeId, event }))
    // The wish to run stays until it does; asking for the same renewal again charges nothing.
    expect(await renewServer(at(nowMs), command)).toMatchObject({ ok: true, replayed: true })
  }
  const [server] = await database.owner.query('select desired_power as power from control.servers where id = $1', [
    serverId,
  ])
  expect(server).toEqual({ power: 'running' })
  expect(await database.owner.query('select 1 from control.renewals where server_id = $1', [serverId])).toHaveLength(1)
  expect(await balanceOf(database.db, userId)).toEqual({ money: 0n, held: 0n, available: 0n })
})
