import { describe, expect, it } from 'vitest'
import { assignUnmatched } from '../../../control-plane/money/staff/assign-unmatched.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { systemIds } from '#platform/ids.ts'
import { lockInOrder } from '../../../control-plane/money/ledger/lock-order.ts'
import { barionTill } from '../../factories/barion-till.ts'

const books = barionTill()
const { till } = books
const erase = (userId: string) =>
  books.database.owner.query('insert into cms_api.erased_people (id) values ($1)', [userId])
async function person() {
  const userId = systemIds.next()
  await books.database.owner.query('insert into cms_api.people (id) values ($1)', [userId])
  return userId
}
const assign = (unmatchedId: string, userId: string | null) =>
  assignUnmatched(till.context(), {
    staffId: systemIds.next(),
    unmatchedId,
    userId,
    amountFt: undefined,
    reason: 'Found out by telephone.',
    requestId: 'r',
    idempotencyKey: systemIds.next(),
  })
const heldOf = (userId: string) =>
  books.database.owner.query(
    `select text from control.notifications where user_id = $1 and text <> 'topup.started'
     union all select type from control.activities where user_id = $1 and type <> 'topup.started'`,
    [userId],
  )

/** Somebody who began to pay, left, and whose money comes after all. */
async function late() {
  const { userId, paymentId, providerPaymentId } = await till.open({ method: 'barion', amount: 5000 })
  await erase(userId)
  books.rig.barion.decide(providerPaymentId, 'succeed')
  await checkPayment(till.context(), paymentId)
  const [unmatched] = await till.unmatched(`payment_id = '${paymentId}'`)
  return { userId, paymentId, unmatched }
}

describe('T05: money that settles after its account was erased', () => {
  it('the money is kept for staff, credited to nobody and announced to nobody', async () => {
    const { userId, paymentId, unmatched } = await late()
    expect(unmatched).toMatchObject({ problem: 'ERASED_ACCOUNT', state: 'open' })
    await checkPayment(till.context(), paymentId)
    expect(await till.money(userId)).toBe(0n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ problem: 'ERASED_ACCOUNT' }])
    expect(await heldOf(userId)).toEqual([])
  })

  it('the money can be assigned to somebody else, but not to the erased customer', async () => {
    const { userId, unmatched } = await late()
    expect(await assign(unmatched?.id ?? '', userId)).toEqual({ ok: false, code: 'NO_SUCH_USER' })
    const other = await person()
    expect(await assign(unmatched?.id ?? '', other)).toMatchObject({ ok: true })
    expect([await till.money(other), await till.money(userId)]).toEqual([5000n, 0n])
  })

  it('the money can be dismissed without notifying the erased customer', async () => {
    const { userId, paymentId, unmatched } = await late()
    expect(await assign(unmatched?.id ?? '', null)).toMatchObject({ ok: true })
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'failed', problem: null }])
    expect(await heldOf(userId)).toEqual([])
    await checkPayment(till.context(), paymentId)
    expect(await till.money(userId)).toBe(0n)
  })

  it('the money is not credited if the erasure ends during the lookup', async () => {
    const { userId, paymentId, providerPaymentId } = await till.open({ method: 'barion', amount: 5000 })
    books.rig.barion.decide(providerPaymentId, 'succeed')
    let looked: Promise<unknown> = Promise.resolve()
    await books.database.owner.transaction(async (tx) => {
      await lockInOrder(tx, { person: userId })
      looked = checkPayment(till.context(), paymentId)
      await tx.query('insert into cms_api.erased_people (id) values ($1)', [userId])
      await new Promise((done) => setTimeout(done, 200))
    })
    await looked
    expect(await till.money(userId)).toBe(0n)
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([{ problem: 'ERASED_ACCOUNT' }])
  })
})
