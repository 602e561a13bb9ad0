import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { writeOffDebt } from '../../../control-plane/money/staff/write-off-debt.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { systemIds } from '#platform/ids.ts'
import { forints } from '#domain/billing/money.ts'
import { topUpCommand } from '../../factories/till.ts'
import {
  dispute,
  endRefund,
  freeMoney,
  grant,
  refund,
  refundAnswer,
  settle,
  writeOff,
  type Payment,
} from './money-model.ts'
import {
  askOf,
  codeOf,
  contextOf,
  NOTHING,
  paymentOf,
  personOf,
  pickOf,
  remember,
  type Answers,
  type Perform,
  type Run,
} from './money-run.ts'
import type { RefundPlan, Told } from './money-world.ts'

const look = (run: Run, payment: Payment) => checkPayment(contextOf(run), payment.id, { evenSettled: true })

/** The bank says something new of a payment, and a hint of it arrives as often as hints do. */
async function hear(run: Run, payment: Payment, news: Partial<Told> & { hints: number }): Promise<void> {
  const { hints, ...said } = news
  const told = run.world.told.get(payment.id)
  if (told) Object.assign(told, said)
  await Promise.all(Array.from({ length: hints }, () => look(run, payment)))
}

async function open(run: Run, step: Parameters<Perform>[1]): Promise<Payment> {
  const owner = personOf(run, step)
  const amount = 500 + 2 * step.size
  const command = topUpCommand(owner.id, { method: 'stripe', amount, key: systemIds.next() })
  const started = await startTopUp(contextOf(run), command)
  if (!started.ok) throw new Error(started.code)
  const again = (changed: boolean) => {
    const request = changed ? { ...command.request, amount: amount + 1 } : command.request
    return startTopUp(contextOf(run), { ...command, request })
  }
  remember(run, started, again)
  const [row] = await run.world.db.query<{ document_id: string }>(
    'select document_id from control.wallet_transactions where id = $1',
    [started.answer.transactionId],
  )
  const payment: Payment = {
    id: row?.document_id ?? '',
    owner,
    amount: BigInt(amount),
    settled: false,
    dispute: 'none',
    refunds: [],
    claim: undefined,
  }
  run.model.payments.push(payment)
  return payment
}

const topUp: Perform = async (run, step) => {
  const payment = await open(run, step)
  settle(run.model, payment)
  await hear(run, payment, { state: 'settled', hints: 1 + (step.pick % 3) })
  return NOTHING
}

/** Not paid, declined, or paid without a word to us: the reconciler finds the last of them. */
const openOnly: Perform = async (run, step) => {
  const payment = await open(run, step)
  const state = (['pending', 'failed', 'settled'] as const)[step.pick % 3] ?? 'pending'
  await hear(run, payment, { state, hints: state === 'failed' ? 1 : 0 })
  return NOTHING
}

const payLate: Perform = async (run, step) => {
  const payment = paymentOf(run, step)
  if (!payment || payment.settled) return NOTHING
  settle(run.model, payment)
  await hear(run, payment, { state: 'settled', amountFt: payment.amount, hints: 2 })
  return NOTHING
}

/** Another amount than was asked for is unmatched, and credits nothing. */
const payOther: Perform = async (run, step) => {
  const payment = await open(run, step)
  await hear(run, payment, { state: 'settled', amountFt: payment.amount - 1n, hints: 2 })
  return NOTHING
}

const hintAgain: Perform = async (run, step) => {
  const payment = paymentOf(run, step)
  if (!payment?.settled) return NOTHING
  await hear(run, payment, { hints: 3 })
  return NOTHING
}

/** Three of four disputes are about money that was spent: what they leave is a debt. */
const disputed: Perform = async (run, step) => {
  const spent = run.model.payments.filter(
    ({ owner, amount, settled: isPaid, dispute: so }) => isPaid && so === 'none' && amount > freeMoney(owner),
  )
  const payment = (step.size % 8 > 5 ? undefined : pickOf(spent, step)) ?? paymentOf(run, step)
  if (!payment?.settled) return NOTHING
  const seen = (['open', 'lost', 'open', 'won'] as const)[step.size % 4] ?? 'open'
  dispute(run.model, payment, seen)
  await hear(run, payment, { dispute: seen, hints: 1 + (step.pick % 2) })
  return NOTHING
}

const PLANS: readonly RefundPlan[] = [
  { first: 'succeeded', later: 'succeeded' },
  { first: 'failed', later: 'failed' },
  { first: 'pending', later: 'succeeded' },
  { first: 'pending', later: 'failed' },
]

const refunded: Perform = async (run, step): Promise<Answers> => {
  const payment = paymentOf(run, step)
  if (!payment) return NOTHING
  const plan = PLANS[step.size % PLANS.length] as RefundPlan
  const amount = step.size % 3 === 0 ? payment.amount : 1n + (BigInt(step.size) % payment.amount)
  const answer = refundAnswer(payment, amount)
  const made = answer === 'ok' ? refund(run.model, payment, { amount, ...plan }) : undefined
  run.world.plan = plan
  const command = {
    staffId: systemIds.next(),
    paymentId: payment.id,
    amountFt: Number(amount),
    reason: 'Asked for it.',
    requestId: 'run',
    idempotencyKey: systemIds.next(),
  }
  const result = await refundPayment(contextOf(run), command)
  // The outcome of a refund may change; that there is one does not. A repetition asks the bank again, after half a
  // minute.
  const again = async (changed: boolean) => {
    const asks = !changed && made !== undefined && run.model.now >= made.at + 30_000
    if (asks) endRefund(run.model, payment, { made, end: made.later })
    const repeated = await refundPayment(contextOf(run), changed ? { ...command, reason: 'Another one.' } : command)
    return repeated.ok ? { ok: true, answer: { refundId: repeated.refundId } } : repeated
  }
  if (result.ok) remember(run, { ok: true, answer: { refundId: result.refundId } }, again)
  const state = answer === 'ok' ? plan.first : answer
  return { model: state, real: result.ok ? result.state : result.code }
}

const wroteOff: Perform = async (run, step) => {
  const owing = run.model.people.filter(({ debt }) => debt > 0n)
  const person = (step.size % 4 === 3 ? undefined : pickOf(owing, step)) ?? personOf(run, step)
  const model = writeOff(run.model, person)
  const { requestId, idempotencyKey } = askOf(person)
  const command = { staffId: person.id, userId: person.id, reason: 'Gone.', requestId, idempotencyKey }
  const ask = async (reason: string) => {
    const result = await writeOffDebt(contextOf(run), { ...command, reason })
    return result.ok ? { ok: true, answer: { amountFt: result.amountFt } } : result
  }
  const result = await ask('Gone.')
  remember(run, result, (changed) => ask(changed ? 'Other.' : 'Gone.'))
  return { model, real: codeOf(result) }
}

const granted: Perform = async (run, step) => {
  const person = personOf(run, step)
  const amount = 1n + BigInt(step.size % 6000)
  grant(run.model, person, amount)
  person.unlisted += amount
  const id = systemIds.next()
  const origin = { id, atMs: run.model.now, actor: 'staff:bonus', requestId: 'run' }
  const given = { id, userId: person.id, amount: forints(amount), reason: 'Welcome' }
  const ledger = contextOf(run).ledgerOn(run.world.db)
  const results = [await ledger.post(bonusGranted(origin, given)), await ledger.post(bonusGranted(origin, given))]
  return { model: ['ok', 'ok'], real: results.map(codeOf) }
}

export const PAYMENT_STEPS = {
  topUp,
  openOnly,
  payLate,
  payOther,
  hintAgain,
  disputed,
  refunded,
  wroteOff,
  granted,
} satisfies Record<string, Perform>
