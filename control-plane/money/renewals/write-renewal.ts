import type { Locale } from '#contracts/locale.ts'
import type { Money } from '#domain/billing/money.ts'
import { renewalMonthly } from '#domain/billing/package-change.ts'
import type { Renewal } from '#domain/billing/renewal.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { together } from '#platform/postgres/together.ts'
import { changeSpec } from '../../servers/store/server-store.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { startPlan } from '../modification/apply-plan.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'
import { sell } from '../sale/till.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { RENEWAL } from '../things/renewal.ts'

/** Fault points of a renewal, in the order in which they are passed. */
export const RENEWAL_FAULTS = [
  'renewal.begin',
  'renewal.locked',
  'renewal.held',
  'renewal.renewal-written',
  'renewal.server-written',
  'renewal.statement-written',
  'renewal.told',
  'renewal.captured',
  'renewal.committed',
] as const

export type RenewalToWrite = {
  readonly server: RenewableRow
  readonly renewal: Renewal
  /** Undefined for an automatic renewal. */
  readonly address: string | undefined
  readonly locale: Locale
  readonly requestId: string
  /** The customer's tax, if it was already read. */
  readonly tax?: TaxRule
  /** Writes something else with the server's row, before this sale locks the house accounts. */
  readonly besides?: () => Promise<unknown>
}

export type WrittenRenewal = { readonly renewalId: string; readonly totalFt: number; readonly periodEndMs: number }
type Missing = { readonly ok: false; readonly missing: Money }

/**
 * Charges a renewal and writes all of its consequences in the caller's transaction, on the server's locked row. The
 * ledger has the last word on the balance: `missing` is returned before anything is written, and nothing may refuse
 * afterwards.
 */
export async function writeRenewal(
  tx: Sql,
  context: MoneyContext,
  wanted: RenewalToWrite,
): Promise<{ readonly ok: true; readonly written: WrittenRenewal } | Missing> {
  const { server, renewal, address, locale, requestId } = wanted
  const { ownerId: userId, id: serverId, product } = server
  const { months, key: period, total } = renewal
  const renewalId = context.ids.next()
  const tax = wanted.tax ?? (await taxOfCustomer(tx, { userId, atMs: context.clock.now() }))
  const buyer = { userId, locale, address }
  const facts = { product, months, period }
  const sold = await sell(tx, context, {
    sale: { thing: RENEWAL, id: renewalId, facts, total, tax, buyer, serverId, requestId },
    deliver: async (holdId) => {
      const paid = together([
        insertRenewal(tx, context, { wanted, renewalId, tax, holdId }),
        writePaidSpans(tx, context, { serverId, source: { renewalId }, spans: renewal.spans }),
      ])
      const extended = extendServer(tx, context, wanted)
      await together([
        paid.then(() => context.faults('renewal.renewal-written')),
        extended.then(() => context.faults('renewal.server-written')),
      ])
    },
  })
  if (!sold.ok) return sold
  return { ok: true, written: { renewalId, totalFt: Number(total.minor), periodEndMs: renewal.period.endMs } }
}

async function insertRenewal(
  tx: Sql,
  { clock }: MoneyContext,
  {
    wanted,
    renewalId,
    tax,
    holdId,
  }: { wanted: RenewalToWrite; renewalId: string; tax: TaxRule; holdId: string | null },
): Promise<void> {
  const { server, renewal, address, locale, requestId } = wanted
  const { net, vat } = splitVat(renewal.total, tax.rateBasisPoints)
  await tx.query(
    `insert into control.renewals (id, server_id, user_id, hold_id, automatic, period_start, period_end, months, monthly_ft,
       discount_ft, total_ft, net_ft, vat_ft, product, locale, request_id, created_at, tax, immediate_start)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, true)`,
    [
      renewalId,
      server.id,
      server.ownerId,
      holdId,
      address === undefined,
      new Date(renewal.period.startMs),
      new Date(renewal.period.endMs),
      renewal.months,
      renewalMonthly(server).minor.toString(),
      renewal.discount.minor.toString(),
      renewal.total.minor.toString(),
      net.minor.toString(),
      vat.minor.toString(),
      JSON.stringify(server.product),
      locale,
      requestId,
      new Date(clock.now()),
      JSON.stringify(storedTax(tax)),
    ],
  )
}

/** The new expiry reaches the node with a higher generation. A server stopped by its expiry runs again. */
async function extendServer(
  tx: Sql,
  context: MoneyContext,
  { server, renewal, requestId, besides }: RenewalToWrite,
): Promise<void> {
  await together([
    tx.query(
      `update control.servers set expires_at = $2, stopped_by_expiry = false,
         desired_power = case when stopped_by_expiry then 'running' else desired_power end where id = $1`,
      [server.id, new Date(renewal.period.endMs)],
    ),
    changeSpec(tx, server.id, {}),
    enqueue(tx, context, { topic: 'provision-server', payload: { serverId: server.id }, requestId }),
    besides?.(),
  ])
  const { startMs: periodStartMs, endMs: periodEndMs } = renewal.period
  await startPlan(tx, context, { server, periodStartMs, periodEndMs, requestId })
}
