import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { EXPIRY_MS, openExpiring, type Owner } from '../../factories/expiring-servers.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { credit, orderContext } from '../../factories/shop.ts'

const HOUR_MS = 3_600_000
const RENEWED = { power: 'running', desired: 'installed', expiry: new Date(EXPIRY_MS + BILLING_MONTH_MS) }
const KEPT = { power: 'stopped', desired: 'installed', expiry: new Date(EXPIRY_MS) }

let expiring: Awaited<ReturnType<typeof openExpiring>>
beforeAll(async () => {
  expiring = await openExpiring()
})
beforeEach(() => expiring.rest())
afterEach(async () => {
  expect(await expiring.database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => expiring.database.close())

const ownerWith = async (restFt: bigint): Promise<Owner> => {
  const [owner] = await expiring.ownerOf(1, { restFt })
  if (!owner) throw new Error('one server was asked for')
  return owner
}
/** Fails the renewal so often; for ever where nothing is said. */
const failing = (times = Number.POSITIVE_INFINITY, code?: string) => {
  let left = times
  return async (name: string) => {
    if (name !== 'renewal.held' || left === 0) return
    left -= 1
    throw Object.assign(new Error(name), code === undefined ? {} : { code })
  }
}
const lastingUntil = async (fromMs: number, toMs: number) => {
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 6 * HOUR_MS) {
    expect(await expiring.runAt(nowMs, failing())).toEqual({ ran: true, looked: 1, failed: 1 })
  }
}

describe('an automatic renewal in conflict with other transactions', () => {
  it.each(['40001', '40P01'])('%s: the renewal is repeated at once, and no reminder is sent', async (code) => {
    const owner = await ownerWith(990n)
    expect(await expiring.runAt(EXPIRY_MS - DAY_MS, failing(1, code))).toEqual({ ran: true, looked: 1, failed: 0 })
    expect([await expiring.stateOf(owner), await expiring.toldTo(owner)]).toEqual([RENEWED, ['purchase.success']])
  })

  it.each(['40P01', '55P03'])('%s, for longer than one run: the renewal is left to the next run', async (code) => {
    const owner = await ownerWith(990n)
    expect(await expiring.runAt(EXPIRY_MS, failing(9, code))).toEqual({ ran: true, looked: 1, failed: 1 })
    expect(await expiring.toldTo(owner)).toEqual([])
    await expiring.runAt(EXPIRY_MS + 60_000)
    expect([await expiring.stateOf(owner), await expiring.toldTo(owner)]).toEqual([RENEWED, ['purchase.success']])
  })
})

describe('an automatic renewal that fails for longer than 72 h', () => {
  it('the stopped server is kept, and renewed when the failure has ended', async () => {
    const owner = await ownerWith(990n)
    await lastingUntil(EXPIRY_MS, EXPIRY_MS + 5 * DAY_MS)
    expect([await expiring.stateOf(owner), await expiring.toldTo(owner)]).toEqual([KEPT, ['server.expired']])
    await expiring.runAt(EXPIRY_MS + 5 * DAY_MS + HOUR_MS)
    expect(await expiring.stateOf(owner)).toEqual(RENEWED)
  })

  it('the owner can still renew the server by hand', async () => {
    const owner = await ownerWith(990n)
    await lastingUntil(EXPIRY_MS, EXPIRY_MS + 4 * DAY_MS)
    const context = orderContext(expiring.database.db, { now: () => EXPIRY_MS + 4 * DAY_MS })
    expect(await renewServer(context, renewCommand(owner))).toMatchObject({ ok: true })
    expect(await expiring.stateOf(owner)).toEqual(RENEWED)
  })

  it('the 72 h stop running even for a server whose 72 h had begun', async () => {
    const owner = await ownerWith(500n)
    await expiring.runAt(EXPIRY_MS)
    await credit(expiring.database.db, { userId: owner.userId, amountFt: 490n })
    await lastingUntil(EXPIRY_MS + 2 * DAY_MS, EXPIRY_MS + 4 * DAY_MS)
    const told = ['renewal.missing', 'server.expired']
    expect([await expiring.stateOf(owner), await expiring.toldTo(owner)]).toEqual([KEPT, told])
    await expiring.runAt(EXPIRY_MS + 4 * DAY_MS + HOUR_MS)
    expect(await expiring.stateOf(owner)).toEqual(RENEWED)
  })

  it('an owner without enough money gets 72 h from the end of the failure', async () => {
    const owner = await ownerWith(990n)
    await lastingUntil(EXPIRY_MS, EXPIRY_MS + 4 * DAY_MS)
    await expiring.database.owner.query('update control.servers set monthly_price_ft = 1990 where id = $1', [
      owner.serverId,
    ])
    const overMs = EXPIRY_MS + 4 * DAY_MS + HOUR_MS
    await expiring.runAt(overMs)
    expect(await expiring.toldTo(owner)).toEqual(['server.expired', 'renewal.missing', 'server.expired'])
    await expiring.runAt(overMs + 3 * DAY_MS - 1)
    expect(await expiring.stateOf(owner)).toEqual(KEPT)
    await expiring.runAt(overMs + 3 * DAY_MS + HOUR_MS)
    expect(await expiring.stateOf(owner)).toMatchObject({ desired: 'deleted' })
  })

  it('staff see the failing renewal in the server’s log', async () => {
    const owner = await ownerWith(990n)
    await lastingUntil(EXPIRY_MS, EXPIRY_MS + DAY_MS)
    const acts = await expiring.database.owner.query(
      `select type, status from control.activities where server_id = $1 and created_at >= $2 order by type`,
      [owner.serverId, new Date(EXPIRY_MS)],
    )
    expect(acts).toEqual([
      { type: 'server.auto-renewed', status: 'failure' },
      { type: 'server.expired', status: 'success' },
    ])
  })
})
