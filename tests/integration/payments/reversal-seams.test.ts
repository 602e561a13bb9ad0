import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { SeenDispute, SeenRefund } from '#domain/payments/reversal.ts'
import { carryOutRefund, refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { issueWaiting } from '../../../control-plane/money/invoices/issue-waiting.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { erasePerson } from '../../../control-plane/people/erase-person.ts'
import { readStaffInvoices } from '../../../control-plane/money/invoices/read-staff-invoices.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { AppError } from '../../../control-plane/platform/app-error.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { documentsOf } from '../../factories/taxed-sales.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => void (database = await shopDatabase()))
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  expect(await database.owner.query('select * from control.invoice_gaps')).toEqual([])
})
afterAll(() => database.close())

const PAID_FT = 5000
type Told = {
  refunds: SeenRefund[]
  disputes: SeenDispute[]
  /** It says that there is a dispute and lists none. */
  isNameless?: boolean
  next: 'away' | 'pending' | 'succeeded' | 'refused'
}
const told = new Map<string, Told>()
const of = (paymentId: string): Told => {
  const found = told.get(paymentId)
  if (!found) throw new Error('a payment that was opened')
  return found
}
const base = toldProvider({ id: 'stripe' })
const provider: PaymentProvider = {
  ...base,
  capabilities: { ...base.capabilities, refunds: 'partial' },
  open: ({ paymentId }) => {
    told.set(paymentId, { refunds: [], disputes: [], next: 'succeeded' })
    const next = { kind: 'redirect', url: 'https://pay.test/' } as const
    return Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next })
  },
  fetchState: ({ providerPaymentId }) => {
    const reference = providerPaymentId.slice('pi_'.length)
    const { refunds, disputes, isNameless } = of(reference)
    if (isNameless) return Promise.resolve(observation({ reference, dispute: 'open', refunds }))
    const sent = refunds.filter(({ state }) => state === 'succeeded').reduce((sum, { minor }) => sum + minor, 0n)
    const amount = observedAmount(forints(BigInt(PAID_FT)))
    const dispute = disputes.at(-1)?.state ?? 'none'
    return Promise.resolve(observation({ reference, amount, refunds, disputes, dispute, refundedMinor: sent }))
  },
  refund: ({ paymentId, refundId, amount }) => {
    const payment = of(paymentId)
    const id = `re_${refundId}`
    if (payment.next === 'away') return Promise.reject(new AppError('PROVIDER_FAILURE', 'it does not answer'))
    const isRefused = payment.next === 'refused'
    if (!payment.refunds.some((refund) => refund.id === id)) {
      payment.refunds.push({
        id,
        refundId,
        minor: amount.minor,
        state: payment.next === 'refused' ? 'succeeded' : payment.next,
      })
    }
    if (isRefused) return Promise.resolve({ state: 'failed', providerRefundId: null, failureCode: 'InternalError' })
    const state = payment.refunds.find((refund) => refund.id === id)?.state ?? 'pending'
    return Promise.resolve({ state, providerRefundId: id, failureCode: null })
  },
}
const till = tillOf(
  () => database,
  () => [provider],
)
const look = (paymentId: string) => checkPayment(till.context(), paymentId, { evenSettled: true })
const seller = (name: string, taxPoint = 'at_topup') =>
  database.owner.query('update cms_api.invoicing set tax_point = $1, seller_name = $2', [taxPoint, name])

async function paid() {
  const userId = await billedPerson(database.owner)
  const { paymentId } = await till.open({ method: 'stripe', amount: PAID_FT, userId })
  await look(paymentId)
  return { userId, paymentId }
}

async function refund(paymentId: string, amountFt: number, state: Told['next'] = 'succeeded') {
  of(paymentId).next = state
  const sent = await refundPayment(till.context(), {
    staffId: systemIds.next(),
    paymentId,
    amountFt,
    reason: 'The customer asked for it.',
    requestId: 'r',
    idempotencyKey: systemIds.next(),
  })
  return sent.ok ? sent.refundId : undefined
}

async function setRefund(paymentId: string, at: number, state: SeenRefund['state']) {
  const payment = of(paymentId)
  const seen = payment.refunds[at]
  if (!seen) return
  payment.refunds[at] = { ...seen, state }
  // A provider that reports the end of a refund answers again.
  if (payment.next === 'away') payment.next = 'pending'
  if (seen.refundId !== null) {
    await database.owner.query('update control.refunds set next_check_at = created_at where id = $1', [seen.refundId])
    await carryOutRefund(till.context(), seen.refundId)
  }
  await look(paymentId)
}

/** The provider answers again, and gets what was asked of it meanwhile. */
async function carryOutAll(paymentId: string, state: 'pending' | 'succeeded') {
  of(paymentId).next = state
  const open = await database.owner.query<{ id: string }>(
    `update control.refunds set next_check_at = created_at where payment_id = $1 and state in ('requested', 'pending') returning id`,
    [paymentId],
  )
  for (const { id } of open) await carryOutRefund(till.context(), id)
  await look(paymentId)
}

async function dispute(paymentId: string, id: string, seen: Omit<SeenDispute, 'id'>) {
  const payment = of(paymentId)
  payment.disputes = [...payment.disputes.filter((each) => each.id !== id), { id, ...seen }]
  await look(paymentId)
}

/** The house's part of a payment by its books: what was credited less what is away. */
async function standsFt(paymentId: string): Promise<number> {
  const [row] = await database.owner.query<{ away: bigint }>(
    `select (coalesce((select sum(amount_ft) from control.refunds where payment_id = $1 and state = 'succeeded'), 0)
      + coalesce((select sum(amount_ft) from control.chargebacks where payment_id = $1 and state = 'taken'), 0))::bigint as away`,
    [paymentId],
  )
  return Math.max(0, PAID_FT - Number(row?.away ?? 0n))
}

const invoicedFt = async (userId: string) =>
  (await documentsOf(database.owner, userId)).reduce((sum, { gross }) => sum + gross, 0)

async function holds({ userId, paymentId }: { userId: string; paymentId: string }) {
  expect(await invoicedFt(userId)).toBe(await standsFt(paymentId))
  const ledger = till.context().ledgerOn(database.db)
  const [onTheWay] = await database.owner.query<{ away: bigint }>(
    `select (coalesce((select sum(amount_ft) from control.refunds where payment_id = $1 and state <> 'failed'), 0)
      + coalesce((select sum(amount_ft) from control.chargebacks where payment_id = $1 and state = 'taken'), 0))::bigint as away`,
    [paymentId],
  )
  const hasFt = (await till.money(userId)) - (await readDebtFt(ledger, userId))
  expect(hasFt).toBe(BigInt(PAID_FT) - (onTheWay?.away ?? 0n))
}

describe('the documents of a reversed and returned top-up', () => {
  it('T71, T72: the documents state the rest after a partial charge-back was returned, and after a refund of all of it', async () => {
    await seller('Bakter Kft.')
    const top = await paid()
    await dispute(top.paymentId, 'dp_1', { minor: 2000n, state: 'open' })
    await dispute(top.paymentId, 'dp_1', { minor: 2000n, state: 'won' })
    await holds(top)
    expect(await refund(top.paymentId, PAID_FT)).toBeDefined()
    await holds(top)
    const documents = await documentsOf(database.owner, top.userId)
    expect(documents.map(({ kind, gross }) => [kind, gross])).toEqual([
      ['invoice', 5000],
      ['correction', -2000],
      ['invoice', 2000],
      ['storno', -2000],
      ['correction', -3000],
    ])
    const { items } = await readStaffInvoices(database.db, { saleId: top.paymentId, locale: 'hu' })
    expect(items.map(({ takenBackBy }) => takenBackBy.map(({ totalFt }) => totalFt))).toEqual([[-2000], [-2000, -3000]])
  })

  it('T72: a refund that arrived during a dispute of all of it is not invoiced again when the dispute is won', async () => {
    await seller('Bakter Kft.')
    const top = await paid()
    await refund(top.paymentId, PAID_FT, 'away')
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'open' })
    await carryOutAll(top.paymentId, 'succeeded')
    await holds(top)
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'won' })
    await holds(top)
    await setRefund(top.paymentId, 0, 'failed')
    await holds(top)
    expect(await invoicedFt(top.userId)).toBe(PAID_FT)
  })

  it('T72: the same holds if the invoice waited for the seller meanwhile', async () => {
    await seller('')
    const top = await paid()
    await refund(top.paymentId, 3000, 'away')
    await dispute(top.paymentId, 'dp_1', { minor: 4000n, state: 'open' })
    await carryOutAll(top.paymentId, 'succeeded')
    await dispute(top.paymentId, 'dp_1', { minor: 4000n, state: 'won' })
    await seller('Bakter Kft.')
    await issueWaiting(till.context())
    await holds(top)
    expect(await invoicedFt(top.userId)).toBe(2000)
  })

  it('T72: a reversal while the reissued invoice waits for the seller is corrected later', async () => {
    await seller('Bakter Kft.')
    const top = await paid()
    await dispute(top.paymentId, 'dp_1', { minor: 3000n, state: 'open' })
    await seller('')
    await dispute(top.paymentId, 'dp_1', { minor: 3000n, state: 'won' })
    await refund(top.paymentId, 3000)
    expect(await till.money(top.userId)).toBe(2000n)
    await seller('Bakter Kft.')
    await issueWaiting(till.context())
    await holds(top)
    expect(await invoicedFt(top.userId)).toBe(2000)
  })

  it('a refund that the provider refused and sent all the same is taken once, and returned once', async () => {
    await seller('Bakter Kft.')
    const top = await paid()
    await refund(top.paymentId, 2000, 'refused')
    expect(await till.money(top.userId)).toBe(5000n)
    await Promise.all([look(top.paymentId), look(top.paymentId)])
    expect(await till.money(top.userId)).toBe(3000n)
    await holds(top)
    expect(await refund(top.paymentId, 3001)).toBeUndefined()
    await setRefund(top.paymentId, 0, 'failed')
    await look(top.paymentId)
    expect(await till.money(top.userId)).toBe(5000n)
    await holds(top)
  })

  it.each([
    ['was told without its name first', 'select'],
    ['a program of the release before had taken', "delete from control.provider_reversals where reversal_id = ''"],
  ])('T72: a dispute that %s is taken once, and won once', async (_name, meanwhile) => {
    await seller('Bakter Kft.')
    const top = await paid()
    of(top.paymentId).isNameless = true
    await look(top.paymentId)
    await database.owner.query(meanwhile)
    of(top.paymentId).isNameless = false
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'open' })
    expect(await till.money(top.userId)).toBe(0n)
    await holds(top)
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'won' })
    await look(top.paymentId)
    expect(await till.money(top.userId)).toBe(5000n)
    await holds(top)
  })

  it('T72: a dispute won while its waiting invoice is being issued is documented', async () => {
    await seller('')
    const top = await paid()
    await dispute(top.paymentId, 'dp_1', { minor: 2000n, state: 'open' })
    await seller('Bakter Kft.')
    let won: Promise<void> | undefined
    const transaction: typeof database.db.transaction = (work) =>
      database.db.transaction(async (tx) => {
        const result = await work(tx)
        won ??= dispute(top.paymentId, 'dp_1', { minor: 2000n, state: 'won' })
        await Promise.race([won, delay(700)])
        return result
      })
    await issueWaiting({ ...till.context(), db: { ...database.db, transaction } })
    await won
    await holds(top)
    expect(await invoicedFt(top.userId)).toBe(PAID_FT)
  })

  it('T72: a return that is undone while its document still waits for the seller is not invoiced anew', async () => {
    await seller('Bakter Kft.')
    const top = await paid()
    await refund(top.paymentId, 2000, 'away')
    await seller('')
    await carryOutAll(top.paymentId, 'succeeded')
    await setRefund(top.paymentId, 0, 'failed')
    of(top.paymentId).refunds.push({ id: 're_1', refundId: null, minor: 3001n, state: 'pending' })
    await look(top.paymentId)
    await setRefund(top.paymentId, 1, 'failed')
    await seller('Bakter Kft.')
    expect([await issueWaiting(till.context()), await invoicedFt(top.userId)]).toEqual([1, PAID_FT])
  })

  it('an erased account’s documents are issued all the same, and the books balance', async () => {
    await seller('Bakter Kft.')
    const top = await paid()
    const erasure = { userId: top.userId, email: null, waivedFt: PAID_FT, requestId: 'r' }
    expect(await erasePerson(till.context(), erasure)).toEqual({ ok: true })
    await database.owner.query('insert into cms_api.erased_people (id) values ($1)', [top.userId])
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'open' })
    expect(await invoicedFt(top.userId)).toBe(0)
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'won' })
    expect(await invoicedFt(top.userId)).toBe(PAID_FT)
    const ledger = till.context().ledgerOn(database.db)
    expect([await till.money(top.userId), await readDebtFt(ledger, top.userId)]).toEqual([0n, 0n])
    await dispute(top.paymentId, 'dp_1', { minor: 5000n, state: 'lost' })
    const held = await database.owner.query(
      `select text from control.notifications where user_id = $1 union all
       select type from control.activities where user_id = $1`,
      [top.userId],
    )
    expect(held).toEqual([])
  })

  it('an existing customer is notified', async () => {
    await seller('Bakter Kft.')
    const { userId, paymentId } = await paid()
    await dispute(paymentId, 'dp_1', { minor: 5000n, state: 'open' })
    const told = `select 1 from control.notifications where user_id = $1 and text = 'payment.taken-back'`
    expect(await database.owner.query(told, [userId])).toHaveLength(1)
  })

  it.each([
    ['at_topup', 'at_spend'],
    ['at_spend', 'at_topup'],
  ])('a refund is not blocked if the tax fell due %s and falls due %s now', async (before, after) => {
    await seller('Bakter Kft.', before)
    const top = await paid()
    await dispute(top.paymentId, 'dp_1', { minor: 2000n, state: 'open' })
    await seller('Bakter Kft.', after)
    await dispute(top.paymentId, 'dp_1', { minor: 2000n, state: 'won' })
    // A purchase that fell due when the money was spent is on its own invoices, and the money has none of its own.
    expect(await invoicedFt(top.userId)).toBe(before === 'at_topup' ? PAID_FT : 0)
    const refundId = await refund(top.paymentId, PAID_FT)
    const [sent] = await database.owner.query('select state from control.refunds where id = $1', [refundId])
    expect(sent).toEqual({ state: 'succeeded' })
    expect(await invoicedFt(top.userId)).toBe(0)
  })

  it(
    'T72: whatever banks, staff and the provider do, the documents add up to the rest',
    { timeout: 600_000 },
    async () => {
      const amount = fc.oneof(fc.constantFrom(2000, 3000, PAID_FT), fc.integer({ min: 1, max: PAID_FT }))
      const act = fc.oneof(
        fc.record({
          do: fc.constant('refund' as const),
          amount,
          state: fc.constantFrom('away' as const, 'pending' as const, 'succeeded' as const, 'refused' as const),
        }),
        fc.record({
          do: fc.constant('asked' as const),
          state: fc.constantFrom('pending' as const, 'succeeded' as const),
        }),
        fc.record({
          do: fc.constant('foreign' as const),
          amount,
          state: fc.constantFrom('pending' as const, 'succeeded' as const),
        }),
        fc.record({
          do: fc.constant('end' as const),
          at: fc.nat(3),
          state: fc.constantFrom('succeeded' as const, 'failed' as const),
        }),
        fc.record({
          do: fc.constant('dispute' as const),
          amount,
          id: fc.constantFrom('dp_1', 'dp_2'),
          state: fc.constantFrom('open' as const, 'lost' as const, 'won' as const),
        }),
        fc.record({ do: fc.constant('seller' as const), name: fc.constantFrom('', 'Bakter Kft.') }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 9 }), async (acts) => {
          await seller('Bakter Kft.')
          const top = await paid()
          for (const [at, each] of acts.entries()) {
            if (each.do === 'asked') await carryOutAll(top.paymentId, each.state)
            else if (each.do === 'refund') await refund(top.paymentId, each.amount, each.state)
            else if (each.do === 'foreign') {
              const { refunds } = of(top.paymentId)
              refunds.push({ id: `re_${at}`, refundId: null, minor: BigInt(each.amount), state: each.state })
              await look(top.paymentId)
            } else if (each.do === 'end') await setRefund(top.paymentId, each.at, each.state)
            else if (each.do === 'dispute') {
              const before = of(top.paymentId).disputes.find(({ id }) => id === each.id)
              if (before?.state === 'won') continue
              await dispute(top.paymentId, each.id, { minor: before?.minor ?? BigInt(each.amount), state: each.state })
            } else await seller(each.name)
          }
          await seller('Bakter Kft.')
          await issueWaiting(till.context())
          await holds(top)
        }),
        { numRuns: Number(process.env['RUNS'] ?? 25), endOnFailure: false },
      )
    },
  )
})
