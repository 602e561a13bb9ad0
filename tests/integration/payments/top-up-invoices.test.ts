import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import { assignUnmatched } from '../../../control-plane/money/staff/assign-unmatched.ts'
import { carryOutRefund, refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { issueWaiting } from '../../../control-plane/money/invoices/issue-waiting.ts'
import { correctInvoice } from '../../../control-plane/money/invoices/correct-invoice.ts'
import type { ObservedRefund, PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { documentsOf } from '../../factories/taxed-sales.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
beforeEach(() =>
  database.owner.query(`update cms_api.invoicing set tax_point = 'at_topup', seller_name = 'Bakter Kft.'`),
)
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

type Told = { amount: bigint; paid: bigint; dispute: Dispute; refund: ObservedRefund['state'] }
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
  open: ({ paymentId, amount }) => {
    told.set(paymentId, { amount: amount.minor, paid: amount.minor, dispute: 'none', refund: 'succeeded' })
    return Promise.resolve({
      providerPaymentId: `pi_${paymentId}`,
      next: { kind: 'redirect', url: 'https://pay.test/' },
    })
  },
  fetchState: ({ providerPaymentId }) => {
    const reference = providerPaymentId.slice('pi_'.length)
    const { paid: minor, dispute } = of(reference)
    return Promise.resolve(observation({ reference, amount: observedAmount(forints(minor)), dispute }))
  },
  refund: ({ paymentId, refundId }) =>
    Promise.resolve({ state: of(paymentId).refund, providerRefundId: `re_${refundId}`, failureCode: null }),
}
const till = tillOf(
  () => database,
  () => [provider],
)
const look = (paymentId: string) => checkPayment(till.context(), paymentId, { evenSettled: true })
async function paid(amount = 5000, country = 'HU') {
  const userId = await billedPerson(database.owner, { country })
  const { paymentId } = await till.open({ method: 'stripe', amount, userId })
  await look(paymentId)
  return { userId, paymentId }
}
async function refund(paymentId: string, amountFt: number, state: Told['refund'] = 'succeeded') {
  of(paymentId).refund = state
  const sent = await refundPayment(till.context(), {
    staffId: '0197c0de-0000-7000-8000-00000000aaaa',
    paymentId,
    amountFt,
    reason: 'The customer withdrew.',
    requestId: 'r',
    idempotencyKey: systemIds.next(),
  })
  if (!sent.ok) throw new Error(sent.code)
  return sent.refundId
}
async function disputed(paymentId: string, ...disputes: Dispute[]) {
  for (const dispute of disputes) {
    of(paymentId).dispute = dispute
    await look(paymentId)
    await look(paymentId)
  }
}
const grosses = async (userId: string) =>
  (await documentsOf(database.owner, userId)).map(({ kind, gross }) => [kind, gross])

describe('an invoiced and reversed top-up', () => {
  it('T72: a full refund makes one storno, however often its end is seen', async () => {
    const { userId, paymentId } = await paid(5000, 'FI')
    const refundId = await refund(paymentId, 5000, 'pending')
    expect(await grosses(userId)).toEqual([['invoice', 5000]])
    of(paymentId).refund = 'succeeded'
    await database.owner.query('update control.refunds set next_check_at = created_at')
    await Promise.allSettled(Array.from({ length: 4 }, () => carryOutRefund(till.context(), refundId)))
    await carryOutRefund(till.context(), refundId)
    const [invoice, storno, ...rest] = await documentsOf(database.owner, userId)
    expect(rest).toEqual([])
    expect(invoice).toMatchObject({ rule: 'eu-consumer-FI', net: 3984, vat: 1016 })
    expect(storno).toMatchObject({ kind: 'storno', net: -3984, vat: -1016, gross: -5000 })
    const [row] = await database.owner.query(
      'select reason from control.invoices where user_id = $1 and storno_of is not null',
      [userId],
    )
    expect(row).toEqual({ reason: 'Visszatérítés oda, ahonnan a fizetés érkezett' })
  })

  it('T71: partial refunds make one correction each, and nothing is left at the end', async () => {
    const { userId, paymentId } = await paid(5000)
    for (const part of [1, 1999, 2500, 500]) await refund(paymentId, part)
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['correction', -1],
      ['correction', -1999],
      ['correction', -2500],
      ['correction', -500],
    ])
    const documents = await documentsOf(database.owner, userId)
    for (const part of ['net', 'vat'] as const) expect(documents.reduce((all, each) => all + each[part], 0)).toBe(0)
    expect(new Set(documents.map(({ number }) => number.slice(0, 7)))).toEqual(new Set(['SZ-2026']))
  })

  it('T72: returns are immutable, and no correction exceeds its invoice', async () => {
    const { userId, paymentId } = await paid()
    await refund(paymentId, 1200)
    for (const change of [
      'update control.sale_corrections set given_back_ft = 1, net_ft = 1, vat_ft = 0',
      `update control.sale_corrections set reason = '{}'`,
      'delete from control.sale_corrections',
    ]) {
      await expect(database.owner.query(change)).rejects.toMatchObject({ code: 'BK001' })
    }
    const reason = { en: 'More', hu: 'Több', de: 'Mehr' }
    const document = { kind: 'top-up', id: paymentId } as const
    const more = database.db.transaction((tx) =>
      correctInvoice(tx, till.context(), { document, cause: 'refund:x', grossFt: 3801n, reason, requestId: 'r' }),
    )
    await expect(more).rejects.toThrow('AMOUNT_INVALID')
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['correction', -1200],
    ])
  })

  it('a failed refund makes no document', async () => {
    const { userId, paymentId } = await paid()
    await refund(paymentId, 2000, 'failed')
    expect(await grosses(userId)).toEqual([['invoice', 5000]])
  })

  it('T72: a charge-back makes one storno while it is disputed and lost', async () => {
    const { userId, paymentId } = await paid()
    await disputed(paymentId, 'open', 'lost')
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['storno', -5000],
    ])
  })

  it('a charge-back after a partial refund corrects the rest', async () => {
    const { userId, paymentId } = await paid()
    await refund(paymentId, 1200)
    await disputed(paymentId, 'open')
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['correction', -1200],
      ['correction', -3800],
    ])
  })

  it('a charge-back during a pending refund corrects no more than there is', async () => {
    const { userId, paymentId } = await paid()
    const refundId = await refund(paymentId, 1200, 'pending')
    await disputed(paymentId, 'open')
    of(paymentId).refund = 'succeeded'
    await database.owner.query('update control.refunds set next_check_at = created_at')
    expect(await carryOutRefund(till.context(), refundId)).toBe('succeeded')
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['storno', -5000],
    ])
  })

  it('a won dispute makes a new invoice, which later refunds correct', async () => {
    const { userId, paymentId } = await paid()
    await disputed(paymentId, 'open', 'won')
    await refund(paymentId, 700)
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['storno', -5000],
      ['invoice', 5000],
      ['correction', -700],
    ])
  })

  it('no documents are made if the tax is due when spending', async () => {
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_spend'`)
    const { userId, paymentId } = await paid()
    await refund(paymentId, 1200)
    await disputed(paymentId, 'open', 'won')
    expect(await grosses(userId)).toEqual([])
  })

  it('a waiting invoice is issued and then corrected; after a full reversal it is never issued', async () => {
    await database.owner.query(`update cms_api.invoicing set seller_name = ''`)
    const [part, whole] = [await paid(), await paid()]
    await refund(part.paymentId, 1200)
    await refund(whole.paymentId, 5000)
    await database.owner.query(`update cms_api.invoicing set seller_name = 'Bakter Kft.'`)
    expect(await issueWaiting(till.context())).toBe(1)
    expect(await grosses(part.userId)).toEqual([
      ['invoice', 5000],
      ['correction', -1200],
    ])
    expect(await grosses(whole.userId)).toEqual([])
  })
})

describe('a won dispute', () => {
  it('a payment whose invoice still waited for the seller waits again', async () => {
    await database.owner.query(`update cms_api.invoicing set seller_name = ''`)
    const { userId, paymentId } = await paid()
    await disputed(paymentId, 'open', 'won')
    await database.owner.query(`update cms_api.invoicing set seller_name = 'Bakter Kft.'`)
    await issueWaiting(till.context())
    expect(await grosses(userId)).toEqual([['invoice', 5000]])
  })

  it('after a partial refund the new invoice covers the rest', async () => {
    const { userId, paymentId } = await paid()
    await refund(paymentId, 1200)
    await disputed(paymentId, 'open', 'won')
    await refund(paymentId, 3800)
    expect(await grosses(userId)).toEqual([
      ['invoice', 5000],
      ['correction', -1200],
      ['correction', -3800],
      ['invoice', 3800],
      ['storno', -3800],
    ])
  })
})

describe('payments assigned by staff', () => {
  async function unmatched() {
    const userId = await billedPerson(database.owner, { country: 'AT' })
    const { paymentId } = await till.open({ method: 'stripe', amount: 3000, userId })
    of(paymentId).paid = 2500n
    await look(paymentId)
    const [row] = await till.unmatched(`payment_id = '${paymentId}'`)
    return { userId, paymentId, unmatchedId: row?.id ?? '' }
  }
  const assign = (unmatchedId: string, userId: string | null) =>
    assignUnmatched(till.context(), {
      staffId: '0197c0de-0000-7000-8000-00000000aaaa',
      unmatchedId,
      userId,
      requestId: 'r',
      reason: 'Found out by telephone.',
    })

  it('a settled payment is invoiced once, and its refund corrects that invoice', async () => {
    const { userId, paymentId, unmatchedId } = await unmatched()
    const answers = await Promise.all(Array.from({ length: 3 }, () => assign(unmatchedId, userId)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const [document] = await documentsOf(database.owner, userId)
    expect(document).toMatchObject({ cause: 'top-up', documentId: paymentId, rule: 'eu-consumer-AT', gross: 2500 })
    await refund(paymentId, 500)
    expect(await grosses(userId)).toEqual([
      ['invoice', 2500],
      ['correction', -500],
    ])
  })

  it('money assigned to another customer is invoiced to them, for the unmatched payment itself', async () => {
    const { userId, unmatchedId } = await unmatched()
    const other = await billedPerson(database.owner, { country: 'HU' })
    await assign(unmatchedId, other)
    expect(await documentsOf(database.owner, userId)).toEqual([])
    expect(await documentsOf(database.owner, other)).toMatchObject([
      { cause: 'top-up', documentId: unmatchedId, rule: 'domestic-HU', gross: 2500 },
    ])
  })

  it('an assigned payment keeps its tax when a dispute is won, even if the profile has changed', async () => {
    const { paymentId, unmatchedId } = await unmatched()
    const other = await billedPerson(database.owner, { country: 'AT' })
    await assign(unmatchedId, other)
    of(paymentId).dispute = 'open'
    await look(paymentId)
    await database.owner.query(`update cms_api.invoice_contacts set country = 'HU' where id = $1`, [other])
    of(paymentId).dispute = 'won'
    await look(paymentId)
    const [first, ...later] = await documentsOf(database.owner, other)
    expect(later).toMatchObject([
      { kind: 'storno', rule: 'eu-consumer-AT', gross: -2500, vat: -(first?.vat ?? 0) },
      { kind: 'invoice', rule: 'eu-consumer-AT', gross: 2500, vat: first?.vat },
    ])
  })

  it('a dismissed payment gets no invoice, nor does any if the tax is due when spending', async () => {
    const [away, spent] = [await unmatched(), await unmatched()]
    await assign(away.unmatchedId, null)
    await database.owner.query(`update cms_api.invoicing set tax_point = 'at_spend'`)
    await assign(spent.unmatchedId, spent.userId)
    for (const { userId } of [away, spent]) expect(await grosses(userId)).toEqual([])
  })
})
