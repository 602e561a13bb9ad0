import { nextReversal, type Reversal, type SeenDispute, type SeenRefund } from '#domain/payments/reversal.ts'
import { isUuid } from '#domain/kernel/uuid.ts'
import type { ObservedPayment } from './payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { PaymentContext } from './payment-context.ts'

/** Money at a provider, whether or not one of our payments expects it. */
export type MoneyAtProvider = { readonly provider: string; readonly providerPaymentId: string }

/** A provider that lists none reports at most a returned total and whether the payment is disputed. */
function listed({ refunds, disputes, refundedMinor, dispute, amount }: ObservedPayment) {
  const total: SeenRefund[] =
    refundedMinor > 0n ? [{ id: '', refundId: null, minor: refundedMinor, state: 'succeeded' }] : []
  const whole: SeenDispute[] = dispute === 'none' ? [] : [{ id: '', minor: amount.minor, state: dispute }]
  return { refunds: refunds ?? total, disputes: disputes ?? whole }
}

type Look = { readonly money: MoneyAtProvider; readonly observed: ObservedPayment }

/**
 * Stores the refunds and disputes of a lookup, and returns all known ones. States only move forward, so lookups may
 * arrive in any order. Call it under the lock of the payment, or of the unmatched payment.
 */
export async function keepReversals(
  tx: Sql,
  { clock }: Pick<PaymentContext, 'clock'>,
  { money, observed }: Look,
): Promise<Reversal[]> {
  const { refunds, disputes } = listed(observed)
  const names = disputes.flatMap(({ id }) => (id === '' ? [] : id))
  if (names.length > 0) await adoptNameless(tx, money, names)
  const known = new Map((await readReversals(tx, money)).map((reversal) => [keyOf(reversal), reversal]))
  const whole = observed.amount.minor
  const seen: Reversal[] = [
    ...(await withOwn(tx, { money, refunds, known: [...known.values()] })).map((refund) => ({
      ...refund,
      kind: 'refund' as const,
      whole,
    })),
    ...disputes.map(({ id, minor, state }) => ({ kind: 'dispute' as const, id, minor, whole, state, refundId: null })),
  ]
  const changed: Reversal[] = []
  for (const look of seen) {
    const before = known.get(keyOf(look))
    const after = before ? nextReversal(before, look) : look
    if (before && before.state === after.state && before.minor === after.minor) continue
    known.set(keyOf(after), after)
    changed.push(after)
  }
  if (changed.length === 0) return [...known.values()]
  await write(tx, {
    money,
    reversals: [...new Map(changed.map((each) => [keyOf(each), each])).values()],
    at: clock.now(),
  })
  return readReversals(tx, money)
}

const keyOf = ({ kind, id }: Reversal): string => `${kind}:${id}`

const write = (
  tx: Sql,
  { money, reversals, at }: { money: MoneyAtProvider; reversals: readonly Reversal[]; at: number },
) =>
  tx.query(
    `insert into control.provider_reversals (provider, provider_payment_id, kind, reversal_id, amount_minor, whole_minor, state,
       refund_id, seen_at, updated_at)
     select $1, $2, r.kind, r.id, r.minor, r.whole, r.state, r.refund_id, $9, $9
     from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::uuid[])
       as r (kind, id, minor, whole, state, refund_id)
     on conflict (provider, provider_payment_id, kind, reversal_id) do update set state = excluded.state,
       amount_minor = excluded.amount_minor, whole_minor = excluded.whole_minor, updated_at = excluded.updated_at`,
    [
      money.provider,
      money.providerPaymentId,
      reversals.map(({ kind }) => kind),
      reversals.map(({ id }) => id),
      reversals.map(({ minor }) => minor.toString()),
      reversals.map(({ whole }) => whole.toString()),
      reversals.map(({ state }) => state),
      reversals.map(({ refundId }) => refundId),
      new Date(at),
    ],
  )

/**
 * Recognizes our refunds by the id that they carry; a duplicate counts once, because anybody can write any id at a
 * provider.
 */
async function withOwn(
  tx: Sql,
  { money, refunds, known }: { money: MoneyAtProvider; refunds: readonly SeenRefund[]; known: readonly Reversal[] },
): Promise<SeenRefund[]> {
  const names = refunds.flatMap(({ refundId }) => refundId?.toLowerCase() ?? []).filter(isUuid)
  const ours = names.length === 0 ? [] : await readOwn(tx, money, names)
  const taken = new Map(known.flatMap(({ refundId, id }) => (refundId === null ? [] : [[refundId, id] as const])))
  return refunds.map((refund) => {
    const name = refund.refundId?.toLowerCase()
    const own = ours.find(({ id, provider_refund_id: sentAs }) => id === name && (sentAs ?? refund.id) === refund.id)
    if (!own || (taken.get(own.id) ?? refund.id) !== refund.id) return { ...refund, refundId: null }
    taken.set(own.id, refund.id)
    return { ...refund, refundId: own.id }
  })
}

const readOwn = (tx: Sql, { provider, providerPaymentId }: MoneyAtProvider, names: readonly string[]) =>
  tx.query<{ id: string; provider_refund_id: string | null }>(
    `select f.id, f.provider_refund_id from control.refunds f join control.payments p on p.id = f.payment_id
     where f.id = any ($1::uuid[]) and p.provider = $2 and p.provider_payment_id = $3`,
    [names, provider, providerPaymentId],
  )

/**
 * A dispute stored without an id becomes the first listed one: its provider reported only that there was one, or the
 * previous release, which stored no ids and may still run beside this one.
 */
async function adoptNameless(
  tx: Sql,
  { provider, providerPaymentId }: MoneyAtProvider,
  names: readonly string[],
): Promise<void> {
  await tx.query(
    `update control.provider_reversals r set reversal_id = n.id
     from (select n.id from unnest($3::text[]) with ordinality n (id, at) where not exists (
         select from control.provider_reversals o where o.provider = $1 and o.provider_payment_id = $2 and o.kind = 'dispute'
           and o.reversal_id = n.id) order by n.at limit 1) n
     where r.provider = $1 and r.provider_payment_id = $2 and r.kind = 'dispute' and r.reversal_id = ''`,
    [provider, providerPaymentId, names],
  )
  await tx.query(
    `update control.chargebacks c set source_id = n.id
     from unnest($3::text[]) with ordinality n (id, at)
     where c.kind = 'dispute' and c.source_id = ''
       and (c.payment_id in (select id from control.payments where provider = $1 and provider_payment_id = $2)
         or c.unmatched_id in (select id from control.unmatched_payments where provider = $1 and provider_payment_id = $2))
       and not exists (select from control.provider_reversals r where r.provider = $1 and r.provider_payment_id = $2
         and r.kind = 'dispute' and r.reversal_id = '')
       and n.at = (select min(m.at) from unnest($3::text[]) with ordinality m (id, at) where not exists (
         select from control.chargebacks o where coalesce(o.payment_id, o.unmatched_id) = coalesce(c.payment_id, c.unmatched_id)
           and o.kind = 'dispute' and o.source_id = m.id))`,
    [provider, providerPaymentId, names],
  )
}

export const readReversals = (tx: Sql, { provider, providerPaymentId }: MoneyAtProvider): Promise<Reversal[]> =>
  tx.query<Reversal>(
    `select kind, reversal_id as id, amount_minor as minor, whole_minor as whole, state, refund_id as "refundId"
     from control.provider_reversals where provider = $1 and provider_payment_id = $2 order by kind, seen_at, reversal_id`,
    [provider, providerPaymentId],
  )
