import { lookAgainMs, REFUND_LOOK_MS, REFUND_WATCH_MS } from '#domain/payments/payment-window.ts'
import { AppError } from '../../platform/app-error.ts'
import type { PaymentContext } from './payment-context.ts'
import { carryOutRefund } from './refund-payment.ts'
import { checkPayment } from './settle-payment.ts'

/** Per provider and run, so that one with a backlog does not delay the others. */
const BATCH = 25
/** The maximum duration of one lookup; a claim outlives all lookups of a batch. */
const LOOK_MS = 20_000
const CLAIM_MS = 10 * 60_000
/** After this many failures in a row a provider is skipped until the next run. */
const PATIENCE = 3

type Look = { readonly table: 'payments' | 'refunds'; readonly id: string; readonly run: () => Promise<unknown> }

export type ReconcileOptions = { readonly lookMs?: number }

/**
 * Looks up payments and refunds that are due. Each is claimed first, so that two programs share the work; providers run
 * concurrently, and one that hangs or fails is skipped until the next run. Failures are logged and postponed, longer
 * each time. Resolves with the number of lookups.
 */
export async function reconcilePayments(context: PaymentContext, options: ReconcileOptions = {}): Promise<number> {
  const { lookMs = LOOK_MS } = options
  const ids = context.providers.all.map(({ id }) => id)
  // Payments of a disabled provider still expire on time.
  const groups: Group[] = [...ids.map((id) => ({ ids: [id], others: false })), { ids, others: true }]
  const counts = await Promise.all(
    groups.map(async (group) => {
      const looks = [...(await duePayments(context, group)), ...(await dueRefunds(context, group))]
      return lookAtAll(context, { looks, lookMs })
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Payments of these providers, or of all others. */
type Group = { readonly ids: readonly string[]; readonly others: boolean }

const IN_GROUP = '(provider = any ($1)) <> $2'

async function duePayments(context: PaymentContext, { ids, others }: Group): Promise<Look[]> {
  const now = context.clock.now()
  const rows = await context.db.query<{ id: string }>(
    `with due as (
       select id from control.payments where ${IN_GROUP} and state <> 'settled' and next_check_at <= $3
         and (claimed_until is null or claimed_until <= $3)
       order by next_check_at limit ${BATCH} for update skip locked)
     update control.payments p set claimed_until = $4 from due where p.id = due.id returning p.id`,
    [ids, others, new Date(now), new Date(now + CLAIM_MS)],
  )
  return rows.map(({ id }) => ({ table: 'payments', id, run: () => checkPayment(context, id) }))
}

/** Pending refunds are claimed by their own handler; for sent ones the payment is looked up. */
async function dueRefunds(context: PaymentContext, { ids, others }: Group): Promise<Look[]> {
  const now = context.clock.now()
  const open = await context.db.query<{ id: string }>(
    `select id from control.refunds where ${IN_GROUP} and state in ('requested', 'pending') and next_check_at <= $3
     order by next_check_at limit ${BATCH}`,
    [ids, others, new Date(now)],
  )
  const sent = await context.db.query<{ id: string; payment_id: string }>(
    `with due as (
       select id, created_at from control.refunds where ${IN_GROUP} and state = 'succeeded' and next_check_at <= $3
       order by next_check_at limit ${BATCH} for update skip locked)
     update control.refunds f set next_check_at = case when due.created_at < $4 then 'infinity' else $5::timestamptz end
       from due where f.id = due.id returning f.id, f.payment_id`,
    [ids, others, ...[now, now - REFUND_WATCH_MS, now + REFUND_LOOK_MS].map((ms) => new Date(ms))],
  )
  return [
    ...open.map(({ id }): Look => ({ table: 'refunds', id, run: () => carryOutRefund(context, id) })),
    ...sent.map(({ id, payment_id: paymentId }): Look => ({
      table: 'refunds',
      id,
      run: () => checkPayment(context, paymentId, { evenSettled: true }),
    })),
  ]
}

/** One after the other, because providers limit the request rate. */
async function lookAtAll(
  context: PaymentContext,
  { looks, lookMs }: { looks: readonly Look[]; lookMs: number },
): Promise<number> {
  let looked = 0
  let failures = 0
  for (const [at, look] of looks.entries()) {
    if (failures >= PATIENCE) {
      await release(context, looks.slice(at))
      break
    }
    const isDone = await attempt(context, look, lookMs)
    looked += isDone ? 1 : 0
    failures = isDone ? 0 : failures + 1
  }
  return looked
}

async function attempt(context: PaymentContext, { table, id, run }: Look, lookMs: number): Promise<boolean> {
  try {
    await withinMs(run(), lookMs)
    return true
  } catch (error) {
    context.log.warn({ table, id, reason: String(error) }, 'what a provider should tell could not be asked')
    await putOff(context, { table, id })
    return false
  }
}

/**
 * A lookup that takes too long is no longer awaited: its result is still applied, and the next lookup finds the same.
 */
async function withinMs<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('PROVIDER_FAILURE', 'a look took too long', { retryable: true })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

/** A payment whose lookup fails must not head every batch. */
async function putOff(context: PaymentContext, { table, id }: Pick<Look, 'table' | 'id'>): Promise<void> {
  const [row] = await context.db.query<{ failures: number }>(
    `update control.${table} set checks = checks + 1, failures = failures + 1 where id = $1 returning failures`,
    [id],
  )
  const at = new Date(lookAgainMs(row?.failures ?? 1, context.clock.now()))
  await context.db.query(
    table === 'payments'
      ? 'update control.payments set next_check_at = $2, claimed_until = null where id = $1'
      : 'update control.refunds set next_check_at = $2 where id = $1',
    [id, at],
  )
}

/** Releases claims that were not used, also that of a refund's last lookup. */
async function release(context: PaymentContext, looks: readonly Look[]): Promise<void> {
  const idsIn = (name: Look['table']) => looks.filter(({ table }) => table === name).map(({ id }) => id)
  await context.db.query('update control.payments set claimed_until = null where id = any ($1)', [idsIn('payments')])
  await context.db.query(`update control.refunds set next_check_at = $2 where id = any ($1) and state = 'succeeded'`, [
    idsIn('refunds'),
    new Date(context.clock.now()),
  ])
}
