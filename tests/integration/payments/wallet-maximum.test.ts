import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { barionRig, type BarionRig } from '../../factories/provider-rigs.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { topUpCommand } from '../../factories/till.ts'

let database: ControlDatabase
let rig: BarionRig
beforeAll(async () => {
  database = await shopDatabase(40)
  rig = await barionRig()
})
afterAll(async () => {
  await rig.barion.close()
  await database.close()
})

const till = tillOf(
  () => database,
  () => [rig.provider],
)
const topUp = (userId: string, amount: number, key?: string) =>
  startTopUp(
    { ...till.context(), maximumBalanceFt: 10_000n },
    topUpCommand(userId, { method: 'barion', amount, ...(key === undefined ? {} : { key }) }),
  )
const FULL = { ok: false, code: 'TOPUP_WALLET_FULL' }

describe('T26: the maximum balance', () => {
  it('the maximum holds for 20 concurrent top-ups, because open ones count', async () => {
    const userId = systemIds.next()
    const answers = await Promise.all(Array.from({ length: 20 }, () => topUp(userId, 3000)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
    expect(answers.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 17 }, () => FULL))
    expect(await topUp(userId, 1000)).toMatchObject({ ok: true })
    expect(await topUp(userId, 500)).toEqual(FULL)
    for (const { provider_payment_id: id } of await till.paymentsOf(userId)) rig.barion.decide(id, 'succeed')
    await till.reconcileAt(START_MS + 60_000)
    expect(await till.money(userId)).toBe(10_000n)
    expect(await topUp(userId, 500)).toEqual(FULL)
  })

  it('a failed top-up frees its amount, and a repeated key returns its first result', async () => {
    const userId = systemIds.next()
    const key = systemIds.next()
    const first = await topUp(userId, 10_000, key)
    expect(first).toMatchObject({ ok: true })
    expect(await topUp(userId, 10_000, key)).toEqual(first)
    const [payment, ...others] = await till.paymentsOf(userId)
    expect(others).toEqual([])
    rig.barion.decide(payment?.provider_payment_id ?? '', 'fail')
    await till.reconcileAt(START_MS + 60_000)
    expect(await topUp(userId, 10_000)).toMatchObject({ ok: true })
    // A payment that comes late all the same is never refused.
    rig.barion.decide(payment?.provider_payment_id ?? '', 'succeed')
    await till.reconcileAt(START_MS + 180_000)
    expect(await till.money(userId)).toBe(10_000n)
    const [, second] = await till.paymentsOf(userId)
    rig.barion.decide(second?.provider_payment_id ?? '', 'succeed')
    await till.reconcileAt(START_MS + 300_000)
    expect(await till.money(userId)).toBe(20_000n)
  })

  it('the maximum applies per customer, and not at all if unset', async () => {
    const [one, other] = [systemIds.next(), systemIds.next()]
    expect(await topUp(one, 10_000)).toMatchObject({ ok: true })
    expect(await topUp(other, 10_000)).toMatchObject({ ok: true })
    const command = topUpCommand(one, { method: 'barion', amount: 10_000 })
    expect(await startTopUp(till.context(), command)).toMatchObject({ ok: true })
    expect([await till.paymentsOf(one), await till.paymentsOf(other)].map(({ length }) => length)).toEqual([2, 1])
  })
})
