import { describe, expect, it } from 'vitest'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { systemIds } from '#platform/ids.ts'
import { barionTill } from '../../factories/barion-till.ts'
import { BARION_PAYEE, BARION_POS_KEY } from '../../factories/provider-rigs.ts'
import { START_MS } from '../../factories/till-of.ts'
import { topUpCommand } from '../../factories/till.ts'
import { barionProvider } from '../../../control-plane/money/payments/providers/barion/barion-provider.ts'

const HOUR = 3_600_000
const books = barionTill(40)
const { till } = books
const open = (amount?: number) => till.open({ method: 'barion', ...(amount === undefined ? {} : { amount }) })
const hint = (providerPaymentId: string, at = till.routes()) =>
  at.request(`/payments/webhooks/barion?paymentId=${providerPaymentId}`, { method: 'POST' })

describe('top-up by Barion', () => {
  it('a Barion top-up sends the customer to its page and credits the payment', async () => {
    const { userId, providerPaymentId, answer, paymentId } = await open()
    expect(answer.redirectUrl).toBe(`${books.rig.barion.url}/Pay?id=${providerPaymentId}`)
    const payment = books.rig.barion.payments().find(({ PaymentId }) => PaymentId === providerPaymentId)
    expect(payment).toMatchObject({ Total: 1990, Currency: 'HUF', OrderNumber: paymentId })
    expect(payment?.RedirectUrl).toContain(`transaction=${paymentId}`)
    books.rig.barion.decide(providerPaymentId, 'succeed')
    expect((await hint(providerPaymentId)).status).toBe(200)
    expect(await till.money(userId)).toBe(1990n)
  })

  it('case 61, T02: 20 callbacks, 5 returns and the reconciler at once post once', async () => {
    const { userId, paymentId, providerPaymentId } = await open()
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await Promise.all([
      ...Array.from({ length: 20 }, () => hint(providerPaymentId)),
      ...Array.from({ length: 5 }, () => checkPayment(till.context(), paymentId)),
      till.reconcileAt(START_MS + HOUR / 2),
    ])
    expect(await till.money(userId)).toBe(1990n)
    expect(await till.postings('top-up', paymentId)).toHaveLength(1)
    expect(await till.statement(userId)).toEqual([{ type: 'top-up', amount: 1990, status: 'finished', refundedFt: 0 }])
    const notices = await books.database.owner.query('select text from control.notifications where user_id = $1', [
      userId,
    ])
    expect(notices).toEqual([{ text: 'topup.successful' }])
  })

  it('T07: a first attempt that expires late does not undo the payment', async () => {
    const { userId, paymentId, providerPaymentId } = await open()
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await hint(providerPaymentId)
    books.rig.barion.decide(providerPaymentId, 'expire')
    await hint(providerPaymentId)
    expect(await till.paymentsOf(userId)).toMatchObject([{ id: paymentId, state: 'settled' }])
    expect(await till.money(userId)).toBe(1990n)
  })

  it('T06: a payment that first failed and was then paid is credited once', async () => {
    const { userId, providerPaymentId } = await open()
    books.rig.barion.decide(providerPaymentId, 'fail')
    await hint(providerPaymentId)
    expect(await till.statement(userId)).toMatchObject([{ status: 'failed' }])
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await hint(providerPaymentId)
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(1990n)
  })

  it.each([
    ['T09: one forint less', { Total: 1989 }, 'AMOUNT_MISMATCH'],
    ['T09, T14: a fraction of a forint', { Total: 1990.5 }, 'AMOUNT_MISMATCH'],
    ['T09: the same number of another currency', { Currency: 'EUR' }, 'CURRENCY_MISMATCH'],
    ['T09: the reference of somebody else', { POSTransactionId: 'another' }, 'REFERENCE_MISMATCH'],
    ['T09: money for another shop', { Payee: { Name: null, Email: 'thief@example.test' } }, 'REFERENCE_MISMATCH'],
  ])('case 65, %s is kept for staff and credits nothing', async (_name, change, problem) => {
    const { userId, paymentId, providerPaymentId } = await open()
    books.rig.barion.decide(providerPaymentId, 'succeed')
    books.rig.barion.tamper(providerPaymentId, change)
    await hint(providerPaymentId)
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(0n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'pending', problem }])
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([
      { problem, state: 'open', user_id: userId },
    ])
    // Not for ever in the way: what fits after all is credited, and nobody has to look any more.
    const main = {
      Total: 1990,
      Currency: 'HUF',
      POSTransactionId: paymentId,
      Payee: { Name: null, Email: BARION_PAYEE },
    }
    books.rig.barion.tamper(providerPaymentId, main)
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(1990n)
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toMatchObject([{ state: 'dismissed' }])
  })

  it('T03, T10, T12: a lost response leads to another attempt, and the abandoned one is kept for staff when it is paid', async () => {
    const userId = systemIds.next()
    const command = topUpCommand(userId, { method: 'barion', amount: 1990, key: `lost-${userId}` })
    books.rig.barion.set('lost answer')
    await expect(startTopUp(till.context(), command)).rejects.toMatchObject({
      code: 'PROVIDER_FAILURE',
      retryable: true,
    })
    books.rig.barion.set('nothing')
    expect(await startTopUp(till.context(), command)).toMatchObject({ ok: true })
    const [payment] = await till.paymentsOf(userId)
    const attempts = books.rig.barion.payments().filter(({ OrderNumber }) => OrderNumber === payment?.id)
    expect(attempts.map(({ PaymentRequestId }) => PaymentRequestId)).toEqual([`${payment?.id}-1`, `${payment?.id}-2`])
    for (const { PaymentId } of attempts.toReversed()) {
      books.rig.barion.decide(PaymentId, 'succeed')
      await hint(PaymentId)
    }
    // T03, T10: two payments of the provider for one of ours: one is credited, the other is kept for staff.
    expect(await till.money(userId)).toBe(1990n)
    const unmatched = await till.unmatched(`payment_id = '${payment?.id}'`)
    expect(unmatched).toMatchObject([{ problem: 'SECOND_SETTLEMENT', user_id: userId, state: 'open' }])
  })

  it('case 63, T08: a payment unknown here is kept for staff once, and only when Barion confirms it', async () => {
    const { providerPaymentId } = await open()
    await books.database.owner.query(
      `update control.payments set provider_payment_id = $1 where provider_payment_id = $2`,
      [`gone-${providerPaymentId}`, providerPaymentId],
    )
    const unmatched = () => till.unmatched(`provider_payment_id = '${providerPaymentId}'`)
    expect((await hint(providerPaymentId)).status).toBe(200)
    expect(await unmatched()).toEqual([])
    books.rig.barion.tamper(providerPaymentId, { POSTransactionId: systemIds.next() })
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await Promise.all(Array.from({ length: 5 }, () => hint(providerPaymentId)))
    expect(await unmatched()).toMatchObject([{ problem: 'UNKNOWN_PAYMENT', user_id: null, state: 'open' }])
  })

  it('a callback faster than our own record of the id finds its payment', async () => {
    const { userId, providerPaymentId } = await open()
    await books.database.owner.query('update control.payments set provider_payment_id = null where user_id = $1', [
      userId,
    ])
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(1990n)
    expect(await till.unmatched(`provider_payment_id = '${providerPaymentId}'`)).toEqual([])
  })
})

describe('T15: missing callbacks', () => {
  it('the reconciler finds the money, even after an outage', async () => {
    const { userId, providerPaymentId } = await open()
    books.rig.barion.decide(providerPaymentId, 'succeed')
    books.rig.barion.set('down')
    await till.reconcileAt(START_MS + 60_000)
    expect(await till.money(userId)).toBe(0n)
    books.rig.barion.set('nothing')
    await till.reconcileAt(START_MS + 120_000)
    expect(await till.money(userId)).toBe(1990n)
  })

  it('a payment fails 72 hours after its window, and late money is credited for another 30 days', async () => {
    const { userId, providerPaymentId } = await open()
    const end = START_MS + HOUR / 2 + 72 * HOUR
    await till.reconcileAt(end - 1000)
    expect(await till.statement(userId)).toMatchObject([{ status: 'processing' }])
    await till.reconcileAt(end + HOUR)
    expect(await till.statement(userId)).toMatchObject([{ status: 'failed' }])
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await till.reconcileAt(end + 26 * HOUR)
    expect(await till.money(userId)).toBe(1990n)
    expect(await till.statement(userId)).toMatchObject([{ status: 'finished' }])
  })

  it('after that it is no longer polled, but a webhook still credits the money', async () => {
    const { userId, paymentId, providerPaymentId } = await open()
    const over = START_MS + (72 + 31 * 24) * HOUR
    await till.reconcileAt(over)
    const calls = books.rig.barion.calls.length
    await till.reconcileAt(over + 400 * 24 * HOUR)
    expect(books.rig.barion.calls.slice(calls)).not.toContain(`GET /v4/Payment/${providerPaymentId}/PaymentState`)
    books.rig.barion.decide(providerPaymentId, 'succeed')
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(1990n)
    expect(await till.postings('top-up', paymentId)).toHaveLength(1)
  })
})

describe('T17: webhooks of strangers', () => {
  it.each([
    ['an id that nobody has', `?paymentId=${'f'.repeat(32)}`, ''],
    ['no id', '', ''],
    ['an address', '?paymentId=http://169.254.169.254/latest', ''],
    ['a path', '?paymentId=../../v2/Payment/Refund', ''],
    ['a script', '?paymentId=<script>', ''],
    ['a claim that it is paid', `?paymentId=${'e'.repeat(32)}&Status=Succeeded`, '{"Status":"Succeeded"}'],
    ['SQL', `?paymentId='; drop table control.payments; --`, ''],
    ['a form', '', `PaymentId=${'d'.repeat(32)}`],
  ])('%s changes nothing', async (_name, query, body) => {
    await open()
    const before = await till.everything()
    const answer = await till.routes().request(`/payments/webhooks/barion${query}`, { method: 'POST', body })
    expect([200, 400]).toContain(answer.status)
    expect(await answer.text()).toBe('')
    expect(await till.everything()).toEqual(before)
  })

  it('a hint for an open payment only causes another lookup', async () => {
    const { userId, providerPaymentId } = await open()
    await hint(providerPaymentId)
    expect(await till.money(userId)).toBe(0n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'pending' }])
  })
})

describe('settings refused by Barion', () => {
  it('wrong settings are reported without the key', async () => {
    const settings = {
      posKey: 'wrong-key',
      payee: BARION_PAYEE,
      apiUrl: books.rig.barion.url,
      payUrl: books.rig.barion.url,
    }
    const wrong = barionProvider({ ...settings, callbackUrl: 'http://127.0.0.1:9/' })
    const failure: unknown = await wrong
      .fetchState({ paymentId: '', providerPaymentId: 'f'.repeat(32) })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'PROVIDER_FAILURE', message: 'Barion refused: AuthenticationFailed' })
    expect((failure as Error).stack).not.toContain(BARION_POS_KEY)
  })
})
