import type { LocalizedText } from '#contracts/locale.ts'
import { splitOfReturn } from '#domain/billing/given-back.ts'
import { forints, type Money } from '#domain/billing/money.ts'
import type { DocumentCause } from '#domain/billing/tax-point.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { assert } from '#domain/kernel/assert.ts'
import { correctInvoice, type Corrected } from './correct-invoice.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { taxOfRow } from '../tax/tax-of-sale.ts'
import { rowOfSale } from '../things/things.ts'

/**
 * A sale by the id of its row: order, renewal, modification, purchase; `top-up` by its payment or by the unmatched
 * payment that staff assigned.
 */
export type SaleRef = { readonly kind: DocumentCause; readonly id: string }

/**
 * The cause of a return: a row that exists once, so that nothing is returned twice. Rows of the previous release have
 * `untaken-size` in place of `rejected-resize`; their documents are issued under the stored word.
 */
export type ReturnCause = {
  readonly type:
    'modification' | 'refund' | 'chargeback' | 'withdrawal' | 'staff-refund' | 'foreign-refund' | 'rejected-resize'
  readonly id: string
}

export type GivenBack = {
  readonly sale: SaleRef
  /** Whole forints with tax, at least 1. */
  readonly givenBackFt: bigint
  readonly cause: ReturnCause
}

type Recording = Pick<Context, 'ids' | 'clock'>
type Split = { readonly net: Money; readonly vat: Money }

/**
 * Records, before the posting, that a part of a sale is returned, and splits it into revenue and tax by the rule in the
 * sale's row. Once per sale and cause: a repetition returns the stored split. Throws AssertionFailure if the returns
 * would exceed the price.
 */
export async function recordGivenBack(tx: Sql, context: Recording, given: GivenBack): Promise<Split> {
  const { sale, cause, givenBackFt } = given
  await lockSale(tx, sale)
  const before = await findReturn(tx, given)
  if (before) {
    assert(before.given_back_ft === givenBackFt, 'A cause gives back of a sale once.')
    return { net: forints(before.net_ft), vat: forints(before.vat_ft) }
  }
  const { stands, tax } = await readSale(tx, sale)
  const { net, vat } = splitOfReturn(stands, forints(givenBackFt), tax.rateBasisPoints)
  await tx.query(
    `insert into control.sale_corrections (id, sale_kind, sale_id, cause_type, cause_id, given_back_ft, net_ft, vat_ft, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      context.ids.next(),
      sale.kind,
      sale.id,
      cause.type,
      cause.id,
      ...[givenBackFt, net.minor, vat.minor].map(String),
      new Date(context.clock.now()),
    ],
  )
  return { net, vat }
}

/** Prevents concurrent returns of a sale until the transaction ends. Take it before the lock of the invoice. */
export const lockSale = (tx: Sql, { kind, id }: Readonly<Record<'kind' | 'id', string>>) =>
  tx.query('select pg_advisory_xact_lock(hashtextextended($1, 71))', [`sale ${kind} ${id}`])

async function findReturn(tx: Sql, { sale, cause }: Omit<GivenBack, 'givenBackFt'>) {
  const [row] = await tx.query<{ given_back_ft: bigint; net_ft: bigint; vat_ft: bigint }>(
    `select given_back_ft, net_ft, vat_ft from control.sale_corrections
     where sale_kind = $1 and sale_id = $2 and cause_type = $3 and cause_id = $4`,
    [sale.kind, sale.id, cause.type, cause.id],
  )
  return row
}

const TOP_UP_COSTS = `select coalesce(credited_ft, amount_ft) as paid_ft, tax from control.payments where id = $1::uuid
  union all select credited_ft, null from control.unmatched_payments where id = $1::uuid and state = 'assigned'`

function costsOf(kind: DocumentCause): string {
  if (kind === 'top-up') return TOP_UP_COSTS
  const { table, paid } = rowOfSale(kind)
  return `select ${paid} as paid_ft, tax from control.${table} where id = $1::uuid`
}

/** A top-up of the previous release: its tax was never posted, so any rate is right for the record. */
const UNSAID: Pick<TaxRule, 'rateBasisPoints'> = { rateBasisPoints: 0n }

async function readSale(
  tx: Sql,
  { kind, id }: SaleRef,
): Promise<{ stands: Money; tax: Pick<TaxRule, 'rateBasisPoints'> }> {
  const [sale] = await tx.query<{ paid_ft: bigint; tax: unknown }>(costsOf(kind), [id])
  assert(sale, 'A sale that gives back is there.')
  const [given] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(given_back_ft), 0)::bigint as total from control.sale_corrections
     where sale_kind = $1 and sale_id = $2 and undone_at is null`,
    [kind, id],
  )
  return { stands: forints(sale.paid_ft - (given?.total ?? 0n)), tax: sale.tax === null ? UNSAID : taxOfRow(sale.tax) }
}

/**
 * The part of a sale in whole forints that other causes have not returned; for a repeated cause, the amount it
 * returned. Prevents concurrent returns until the transaction ends.
 */
export async function standsFt(tx: Sql, { sale, cause }: Omit<GivenBack, 'givenBackFt'>): Promise<bigint> {
  await lockSale(tx, sale)
  const before = await findReturn(tx, { sale, cause })
  return before ? before.given_back_ft : (await readSale(tx, sale)).stands.minor
}

type Correcting = Pick<Context, 'ids' | 'clock' | 'log'>

/**
 * Issues the document of a return: the storno of the invoice if all of it is returned at once, otherwise a correcting
 * invoice of that part. Undefined when nothing was invoiced; a request that waits for the seller's data is corrected
 * after it is issued. Once per sale and cause. It locks the invoice series: call it last. `reason` is printed on the
 * document; plain text serves every language.
 */
export async function correctSale(
  tx: Sql,
  context: Correcting,
  given: GivenBack & { readonly reason: string | LocalizedText; readonly requestId: string },
): Promise<Corrected | undefined> {
  const { sale, cause, reason, requestId } = given
  await recordGivenBack(tx, context, given)
  const text: LocalizedText = typeof reason === 'string' ? { en: reason, hu: reason, de: reason } : reason
  await tx.query(
    `update control.sale_corrections set reason = $5, request_id = $6
     where sale_kind = $1 and sale_id = $2 and cause_type = $3 and cause_id = $4 and reason is null`,
    [sale.kind, sale.id, cause.type, cause.id, JSON.stringify(text), requestId],
  )
  const own = `${cause.type}:${cause.id}`
  return (await documentReturns(tx, context, sale, own)).get(own)
}

/** Whether a return, a row `c` of `control.sale_corrections`, has a document. */
const HAS_DOCUMENT = `exists (select from control.invoices i where i.document_kind = c.sale_kind
  and (i.document_id = c.sale_id or starts_with(i.document_id, c.sale_id || ':again:'))
  and i.correction_cause = c.cause_type || ':' || c.cause_id)`

type ReturnRow = { cause: string; given_back_ft: bigint; reason: LocalizedText; request_id: string }

/**
 * Issues the missing documents of a sale's returns, in their order, and returns them by cause; also the one of `asked`,
 * which may exist already.
 */
export async function documentReturns(
  tx: Sql,
  context: Correcting,
  ...[sale, asked]: [sale: SaleRef, asked?: string]
): Promise<ReadonlyMap<string, Corrected>> {
  const rows = await tx.query<ReturnRow>(
    `select cause_type || ':' || cause_id as cause, given_back_ft, reason, request_id from control.sale_corrections c
     where sale_kind = $1 and sale_id = $2 and reason is not null and undone_at is null
       and (cause_type || ':' || cause_id = $3 or not ${HAS_DOCUMENT})
     order by created_at, id`,
    [sale.kind, sale.id, asked ?? null],
  )
  const made = new Map<string, Corrected>()
  for (const { cause, given_back_ft: grossFt, reason, request_id: requestId } of rows) {
    const document = await correctInvoice(tx, context, {
      document: sale,
      cause,
      grossFt,
      reason,
      requestId,
      // The tax point may have changed between a top-up and its reissue.
      isBounded: sale.kind === 'top-up',
    })
    if (document) made.set(cause, document)
  }
  return made
}

export type Undone = {
  /** Whole forints. */
  readonly undoneFt: bigint
  /** Whether it had its document, or made a new invoice smaller, which has no reason of its own. */
  readonly isDocumented: boolean
}

/**
 * Undoes a return: a bank gave a charge-back back to the house, or a refund did not arrive. Undefined when nothing was
 * returned, or it was undone already. Prevents concurrent returns until the transaction ends.
 */
export async function undoReturn(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { sale, cause }: Omit<GivenBack, 'givenBackFt'>,
): Promise<Undone | undefined> {
  await lockSale(tx, sale)
  const undone = await tx.query<{ given_back_ft: bigint; is_documented: boolean }>(
    `update control.sale_corrections c set undone_at = $5
     where sale_kind = $1 and sale_id = $2 and cause_type = $3 and (cause_id = $4 or starts_with(cause_id, $4 || ':after:'))
       and undone_at is null returning given_back_ft, reason is null or ${HAS_DOCUMENT} as is_documented`,
    [sale.kind, sale.id, cause.type, cause.id, new Date(clock.now())],
  )
  if (undone.length === 0) return undefined
  const undoneFt = undone.reduce((sum, row) => sum + row.given_back_ft, 0n)
  return { undoneFt, isDocumented: undone.some((row) => row.is_documented) }
}
