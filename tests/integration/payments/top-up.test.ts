import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { readStatement } from '../../../control-plane/money/wallet/statement.ts'
import {
  decideSandboxPayment,
  type SandboxDecision,
} from '../../../control-plane/money/payments/providers/sandbox/sandbox-provider.ts'
import type { ObservedPayment } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, shopDatabase } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { hintOf, observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase(40)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const context = (now?: () => number) => paymentContext(database.db, now ? { now } : {})

async function started(userId: string, amount = 5000) {
  const result = await startTopUp(context(), topUpCommand(userId, { amount }))
  if (!result.ok) throw new Error(result.code)
  const sandboxId = result.answer.redirectUrl.split('/').at(-1) ?? ''
  const [payment] = await database.owner.query<{ id: string }>(
    'select id from control.payments where provider_payment_id = $1',
    [sandboxId],
  )
  return { sandboxId, paymentId: payment?.id ?? '', transactionId: result.answer.transactionId }
}

const decide = (id: string, decision: SandboxDecision) => decideSandboxPayment(context(), { id, decision })
const statusOf = async (userId: string) =>
  (await readStatement(database.db, { userId })).items.map((line) => line.status)
const money = async (userId: string) => (await balanceOf(database.db, userId)).money
const noticesOf = async (userId: string) =>
  (
    await database.owner.query<{ text: string }>('select text from control.notifications where user_id = $1', [userId])
  ).map((row) => row.text)

describe('starting a top-up', () => {
  it('starting a top-up writes the payment and sends the customer to an unguessable address', async () => {
    const user = systemIds.next()
    const { sandboxId } = await started(user)
    expect(sandboxId).toMatch(/^[0-9a-f]{48}$/)
    expect(await statusOf(user)).toEqual(['processing'])
    expect(await money(user)).toBe(0n)
  })

  it.each([
    [{ amount: 499 }, 'TOPUP_TOO_SMALL'],
    [{ amount: 10.5 }, 'AMOUNT_NOT_WHOLE'],
    [{ acceptTerms: false }, 'TERMS_NOT_ACCEPTED'],
    [{ method: 'stripe' }, 'METHOD_NOT_AVAILABLE'],
  ])('a top-up of %j is refused and writes nothing', async (changes, code) => {
    const user = systemIds.next()
    const command = topUpCommand(user)
    const result = await startTopUp(context(), { ...command, request: { ...command.request, ...changes } })
    expect(result).toEqual({ ok: false, code })
    expect(await statusOf(user)).toEqual([])
  })

  it('a top-up by a customer with an unverified address is refused, and writes nothing', async () => {
    const user = systemIds.next()
    const command = topUpCommand(user)
    const caller = { ...command.caller, isVerified: false }
    expect(await startTopUp(context(), { ...command, caller })).toEqual({ ok: false, code: 'EMAIL_NOT_VERIFIED' })
    expect(await statusOf(user)).toEqual([])
  })

  it('20 equal requests make one payment', async () => {
    const user = systemIds.next()
    const command = topUpCommand(user, { key: 'double-click' })
    const results = await Promise.all(Array.from({ length: 20 }, () => startTopUp(context(), command)))
    const urls = new Set(results.flatMap((result) => (result.ok ? [result.answer.redirectUrl] : [])))
    expect(urls.size).toBe(1)
    expect(await statusOf(user)).toEqual(['processing'])
    const other = { ...command, request: { ...command.request, amount: 6000 } }
    expect(await startTopUp(context(), other)).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
  })
})

describe('settling a top-up', () => {
  it('T02: 20 webhooks, the return page and the reconciler at once post once', async () => {
    const user = systemIds.next()
    const { sandboxId, paymentId } = await started(user)
    await decide(sandboxId, 'succeed')
    const hint = hintOf(sandboxId)
    const later = context(() => Date.UTC(2026, 5, 1) + 60_000)
    await Promise.all([
      ...Array.from({ length: 20 }, () => receiveHint(context(), hint)),
      checkPayment(context(), paymentId),
      reconcilePayments(later),
    ])
    expect(await money(user)).toBe(5000n)
    expect(await statusOf(user)).toEqual(['finished'])
    expect(await noticesOf(user)).toEqual(['topup.successful'])
    const posted = await database.owner.query('select reason from control.ledger_transactions where ref_id = $1', [
      paymentId,
    ])
    expect(posted).toEqual([{ reason: 'Top-up by sandbox' }])
  })

  it('T17: the provider counts, not the hint', async () => {
    const user = systemIds.next()
    const { sandboxId } = await started(user)
    await receiveHint(context(), hintOf(sandboxId))
    await receiveHint(context(), hintOf('f'.repeat(48)))
    expect(await money(user)).toBe(0n)
    expect(await statusOf(user)).toEqual(['processing'])
  })

  it('T06: a payment that first failed and was then paid is credited, once', async () => {
    const user = systemIds.next()
    const { sandboxId, paymentId } = await started(user)
    await decide(sandboxId, 'fail')
    await checkPayment(context(), paymentId)
    expect(await statusOf(user)).toEqual(['failed'])
    expect(await noticesOf(user)).toEqual(['topup.failed'])
    await decide(sandboxId, 'succeed')
    await checkPayment(context(), paymentId)
    await checkPayment(context(), paymentId)
    expect(await statusOf(user)).toEqual(['finished'])
    expect(await money(user)).toBe(5000n)
  })

  it('a cancelled payment stays cancelled', async () => {
    const user = systemIds.next()
    const { sandboxId, paymentId } = await started(user)
    await decide(sandboxId, 'cancel')
    await decide(sandboxId, 'succeed')
    await checkPayment(context(), paymentId)
    expect(await statusOf(user)).toEqual(['failed'])
    expect(await money(user)).toBe(0n)
  })

  it('T15: the reconciler settles a payment whose webhook was lost', async () => {
    const user = systemIds.next()
    const { sandboxId } = await started(user)
    await decide(sandboxId, 'succeed')
    await reconcilePayments(context(() => Date.UTC(2026, 5, 1) + 29_999))
    expect(await money(user)).toBe(0n)
    await reconcilePayments(context(() => Date.UTC(2026, 5, 1) + 30_000))
    expect(await money(user)).toBe(5000n)
  })

  it('T01: 50 different concurrent top-ups of one wallet add up', async () => {
    const user = systemIds.next()
    const payments = await Promise.all(Array.from({ length: 50 }, (_, index) => started(user, 500 + index)))
    await Promise.all(payments.map(({ sandboxId }) => decide(sandboxId, 'succeed')))
    await Promise.all(payments.map(({ paymentId }) => checkPayment(context(), paymentId)))
    expect(await money(user)).toBe(payments.reduce((sum, _, index) => sum + 500n + BigInt(index), 0n))
  })

  it.each<[string, Partial<ObservedPayment>, string]>([
    ['another amount', { amount: observedAmount(forints(1n)) }, 'AMOUNT_MISMATCH'],
    ['the payment of somebody else', { reference: systemIds.next() }, 'REFERENCE_MISMATCH'],
  ])('T09: %s credits nothing and is kept for staff', async (_name, changes, problem) => {
    const user = systemIds.next()
    const { paymentId } = await started(user)
    const observed = observation({ reference: paymentId, ...changes })
    const lying = toldProvider({ fetchState: () => Promise.resolve(observed) })
    const providers = { all: [lying], find: () => lying }
    await checkPayment(paymentContext(database.db, { providers }), paymentId)
    expect(await money(user)).toBe(0n)
    expect(await statusOf(user)).toEqual(['processing'])
    const [row] = await database.owner.query('select state, problem from control.payments where id = $1', [paymentId])
    expect(row).toEqual({ state: 'pending', problem })
  })
})

describe('T16: a top-up is never paid with the balance that it raises', () => {
  it.each(['balance', 'wallet', 'user_wallet', 'credit', '', 'Sandbox', 'sandbox '])(
    '%j is not a payment method',
    async (method) => {
      const user = systemIds.next()
      const command = topUpCommand(user, { method })
      expect(await startTopUp(context(), command)).toEqual({ ok: false, code: 'METHOD_NOT_AVAILABLE' })
      expect(await database.owner.query('select 1 from control.payments where user_id = $1', [user])).toEqual([])
    },
  )
})
