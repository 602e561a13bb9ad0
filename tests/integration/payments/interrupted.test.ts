import { describe, expect, it } from 'vitest'
import {
  REFUND_FAULTS,
  SETTLE_PAYMENT_FAULTS,
  TOP_UP_FAULTS,
} from '../../../control-plane/money/payments/payment-context.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { systemIds } from '#platform/ids.ts'
import { barionTill } from '../../factories/barion-till.ts'
import { BARION_PAYEE, BARION_POS_KEY } from '../../factories/provider-rigs.ts'
import { START_MS } from '../../factories/till-of.ts'
import { topUpCommand } from '../../factories/till.ts'
import { crashesAt, untilFree, type Crash } from '../../support/crashes.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { sliceOf } from '../../support/slice.ts'
import { programArguments } from '../../support/test-program.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { PaymentWork } from './payment-process.ts'

const SCRIPT = new URL('./payment-process.ts', import.meta.url)
const HOUR = 3_600_000
const books = barionTill()
const { till } = books
type Work = PaymentWork extends infer All ? (All extends { do: string } ? Omit<All, 'barion'> : never) : never

/**
 * Runs the work in a process of its own, which is killed, thrown out of it, or held up at the fault point; meanwhile others do the
 * same where it is held up.
 */
async function interrupted([fault, mode]: readonly [string, Crash], work: Work, others: () => Promise<unknown>) {
  const { url } = books.rig.barion
  const barion = {
    posKey: BARION_POS_KEY,
    payee: BARION_PAYEE,
    apiUrl: url,
    payUrl: url,
    callbackUrl: 'http://127.0.0.1:9/',
  }
  const child = startOwnProcess({
    command: process.execPath,
    args: await programArguments(SCRIPT),
    env: { DATABASE_URL: books.database.url, WORK: JSON.stringify({ ...work, barion }), FAULT: `${fault}:1:${mode}` },
  })
  const [{ signal, code }] = await Promise.all([child.ended, mode === 'delay' ? others() : undefined])
  const end = { kill: ['SIGKILL', null], throw: [null, 1], delay: [null, 0] }[mode]
  expect([fault, mode, signal, code]).toEqual([fault, mode, ...end])
  await waitFor('PostgreSQL to let go of what the process had locked', async () => {
    const left = await books.database.owner.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'payment-process'`,
    )
    return left.length === 0 || undefined
  })
}

async function paid() {
  const opened = await till.open({ method: 'barion', amount: 5000 })
  books.rig.barion.decide(opened.providerPaymentId, 'succeed')
  return opened
}
const sentFor = (paymentId: string) =>
  books.rig.barion
    .payments()
    .filter(({ OrderNumber }) => OrderNumber === paymentId)
    .flatMap(({ Transactions }) => Transactions)
    .filter(({ TransactionType }) => TransactionType === 'RefundToBankCard')
    .reduce((sum, { Total }) => sum + Total, 0)

describe('I9: each fault point killed, thrown and delayed', () => {
  it.each(sliceOf(crashesAt(TOP_UP_FAULTS), 4))('T12: of opening a payment at Barion: %s, %s', async (fault, mode) => {
    const userId = systemIds.next()
    const command = topUpCommand(userId, { method: 'barion', key: `key-${userId}` })
    const again = () => untilFree(() => startTopUp(till.context(), command))
    await interrupted([fault, mode], { do: 'top-up', command }, again)
    expect(await again()).toMatchObject({ ok: true })
    const payments = await till.paymentsOf(userId)
    expect(payments).toHaveLength(1)
    // The payment to which the customer was sent is the one that is kept, and the money that they pay there is credited
    // once.
    books.rig.barion.decide(payments[0]?.provider_payment_id ?? '', 'succeed')
    await till.reconcileAt(START_MS + HOUR)
    await till.reconcileAt(START_MS + 2 * HOUR)
    expect(await till.money(userId)).toBe(5000n)
  })

  it.each(sliceOf(crashesAt(SETTLE_PAYMENT_FAULTS), 4))(
    'T04, T05: of settling a payment: %s, %s',
    async (fault, mode) => {
      const { userId, paymentId } = await paid()
      await interrupted([fault, mode], { do: 'check-payment', paymentId }, () => till.reconcileAt(START_MS + HOUR))
      const committed = mode === 'delay' || fault === 'payment-settle.committed'
      expect(await till.money(userId)).toBe(committed ? 5000n : 0n)
      await till.reconcileAt(START_MS + HOUR)
      expect(await till.money(userId)).toBe(5000n)
      const notices = await books.database.owner.query('select text from control.notifications where user_id = $1', [
        userId,
      ])
      expect(notices).toEqual([{ text: 'topup.successful' }])
    },
  )

  it.each(sliceOf(crashesAt(REFUND_FAULTS), 4))('of a refund: %s, %s', async (fault, mode) => {
    const { userId, paymentId } = await paid()
    await checkPayment(till.context(), paymentId)
    const command = {
      staffId: systemIds.next(),
      paymentId,
      amountFt: 2000,
      reason: 'The customer withdrew.',
      requestId: 'r',
      idempotencyKey: `key-${paymentId}`,
    }
    const again = () => untilFree(() => refundPayment(till.context(), command))
    await interrupted([fault, mode], { do: 'refund', command }, again)
    await till.reconcileAt(START_MS + HOUR)
    expect(await again()).toMatchObject({ ok: true, state: 'succeeded' })
    expect([await till.money(userId), sentFor(paymentId)]).toEqual([3000n, 2000])
  })
})
