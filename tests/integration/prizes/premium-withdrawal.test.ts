import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { readSpinAccount } from '../../../control-plane/money/wheel/spin-account.ts'
import { beginWithdrawal } from '../../../control-plane/money/withdrawal/begin-withdrawal.ts'
import { confirmWithdrawal } from '../../../control-plane/money/withdrawal/confirm-withdrawal.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { prize, setWheel, spinOnce } from '../../factories/prizes.ts'
import { balanceOf, callerOf, orderContext, shopDatabase, userWith } from '../../factories/shop.ts'
import { confirmCommand, withdrawalContext } from '../../factories/withdrawals.ts'

const NOW = Date.UTC(2026, 5, 1)
let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

it.each(['withdrawal.locked', 'withdrawal.decided', 'withdrawal.money-moved'])(
  'a free spin used during a withdrawal from its tier is paid for or no longer exists: %s',
  async (point) => {
    await setWheel(database.owner, [prize('nothing')])
    const context = orderContext(database.db, { now: () => NOW })
    const userId = await userWith(database.db, 5000n)
    const bought = await purchasePremium(context, {
      caller: callerOf(userId),
      request: { tier: 'maximus' },
      requestId: 'p',
      idempotencyKey: systemIds.next(),
    })
    if (!bought.ok) throw new Error(bought.code)
    // The weekly one is over, so that the next is one of the tier's two.
    await spinOnce(context, userId)
    const subject = { kind: 'premium', documentId: bought.answer.id } as const
    let spinning: ReturnType<typeof spinOnce> | undefined
    const faults = async (name: string) => {
      if (name !== point) return
      spinning = spinOnce(context, userId)
      await Promise.race([spinning, sleep(400)])
    }
    await beginWithdrawal(withdrawalContext(database.db, { nowMs: NOW }), {
      caller: callerOf(userId),
      subject,
      requestId: 'w',
    })
    const done = await confirmWithdrawal(
      withdrawalContext(database.db, { nowMs: NOW, faults }),
      confirmCommand(userId, subject),
    )
    const spun = await spinning
    expect(done).toMatchObject({ answer: { keptFt: spun?.ok ? 200 : 0 } })
    expect(await readSpinAccount(database.db, userId)).toMatchObject({ granted: 0 })
  },
)

it('another person’s tier cannot be withdrawn from, in either step', async () => {
  const context = orderContext(database.db, { now: () => NOW })
  const [userId, strangerId] = [await userWith(database.db, 5000n), await userWith(database.db, 5000n)]
  const bought = await purchasePremium(context, {
    caller: callerOf(userId),
    request: { tier: 'maximus' },
    requestId: 'p',
    idempotencyKey: systemIds.next(),
  })
  if (!bought.ok) throw new Error(bought.code)
  const subject = { kind: 'premium', documentId: bought.answer.id } as const
  const withdrawing = withdrawalContext(database.db, { nowMs: NOW })
  const begin = (by: string) => beginWithdrawal(withdrawing, { caller: callerOf(by), subject, requestId: 'w' })
  const notFound = { ok: false, code: 'NOT_FOUND' }
  const before = [await balanceOf(database.db, userId), await balanceOf(database.db, strangerId)]
  expect(await begin(strangerId)).toMatchObject(notFound)
  expect(await begin(userId)).toMatchObject({ ok: true })
  expect(await confirmWithdrawal(withdrawing, confirmCommand(strangerId, subject))).toMatchObject(notFound)
  expect([await balanceOf(database.db, userId), await balanceOf(database.db, strangerId)]).toEqual(before)
  expect(await confirmWithdrawal(withdrawing, confirmCommand(userId, subject))).toMatchObject({ ok: true })
})
