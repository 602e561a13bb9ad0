import type { FormulaPart, ServerSize, TransactionDetail } from '#contracts/http/transaction-detail.ts'
import type { Locale, LocalizedText } from '#contracts/locale.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { TIER_NAMES, type PremiumTier } from '#domain/billing/premium.ts'
import { discountPercentOf, explainUpgrade } from '#domain/billing/statement-formula.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { DocumentKind } from '../things/document-ref.ts'
import { explainPayment } from './explain-payment.ts'
import type { Documented, Explained, LineFacts } from './explained.ts'

type LineRow = {
  id: string
  user_id: string
  type: string
  payment_type: string
  amount_ft: bigint
  reason: string
  reference_kind: DocumentKind | null
  reference_id: string | null
  reference_source: string
  created_at: Date
}

/** The explanation of a line in a customer's own statement; undefined for a line that is not theirs. */
export async function explainLine(
  sql: Sql,
  { userId, locale, transactionId }: { userId: string; locale: Locale; transactionId: string },
): Promise<TransactionDetail | undefined> {
  const [row] = await sql.query<LineRow>(
    `select id, user_id, type, payment_type, amount_ft, reason, reference_kind, reference_id, reference_source,
       created_at
     from control.wallet_transactions where id = $1 and user_id = $2`,
    [transactionId, userId],
  )
  if (!row) return undefined
  const line: LineFacts = {
    userId,
    locale,
    type: row.type,
    paymentType: row.payment_type,
    reason: row.reason,
    at: row.created_at,
    amountFt: Number(row.amount_ft < 0n ? -row.amount_ft : row.amount_ft),
    document: documentOf(row),
  }
  const { bill, ...explained } = await explain(sql, line)
  return {
    ...NOTHING,
    ...explained,
    id: row.id,
    documents: bill ? await documentsOf(sql, { userId, bill }) : [],
  }
}

const documentOf = ({ reference_kind: kind, reference_id: id, reference_source: source }: LineRow) =>
  kind === null || id === null ? undefined : { kind, id, source }

const NOTHING = {
  method: null,
  providerReference: null,
  product: null,
  size: null,
  newSize: null,
  period: null,
  formula: [] as FormulaPart[],
  server: null,
  paymentLineId: null,
  reason: null,
} as const

/** By its document; a line of another release, or whose document is gone, shows only its reason. */
async function explain(sql: Sql, line: LineFacts): Promise<Explained> {
  const { document } = line
  const found = document && (await explainDocument(sql, { ...line, document }))
  return found ?? { cause: line.type === 'coupon' ? 'coupon' : 'correction', reason: line.reason, formula: [] }
}

async function explainDocument(sql: Sql, line: Documented): Promise<Explained | undefined> {
  const flat: FormulaPart = { kind: 'flat', amountFt: line.amountFt }
  switch (line.document.kind) {
    case 'order':
      return soldOrBack(await explainOrder(sql, line), line)
    case 'renewal':
      return soldOrBack(await explainRenewal(sql, line), line)
    case 'modification':
      return soldOrBack(await explainModification(sql, line), line)
    case 'premium':
      return explainPremium(sql, line)
    case 'spins':
      return explainSpins(sql, line)
    case 'prize':
      return { cause: 'prize', formula: [flat] }
    case 'account':
      return { cause: 'account-closed', formula: [flat] }
    default:
      return explainPayment(sql, line)
  }
}

/** The purchase; or the refund after a withdrawal or a rejected resize. */
const soldOrBack = (sold: Explained | undefined, { type, amountFt }: LineFacts): Explained | undefined =>
  sold && type === 'refund' ? { ...sold, cause: 'given-back', formula: [{ kind: 'flat', amountFt }] } : sold

type OrderRow = {
  server_id: string
  months: number
  monthly_ft: bigint
  total_ft: bigint
  product: LocalizedText
  parts: readonly OrderPart[]
  start_at: Date | null
  end_at: Date | null
}
type OrderPart =
  | { kind: 'resource'; key: string; quantity: number; monthlyFt: number; amountFt: number }
  | { kind: 'premium-discount'; percent: number; amountFt: number }
  | { kind: 'coupon'; code: string; amountFt: number }

async function explainOrder(sql: Sql, line: Documented): Promise<Explained | undefined> {
  const [order] = await sql.query<OrderRow>(
    `select o.server_id, o.months, o.monthly_ft, o.total_ft, o.product, o.parts, p.start_at, p.end_at
     from control.orders o left join lateral (select min(start_at) as start_at, max(end_at) as end_at
       from control.paid_spans where order_id = o.id) p on true
     where o.id = $1 and o.user_id = $2`,
    [line.document.id, line.userId],
  )
  if (!order) return undefined
  const { months, start_at: start, end_at: end } = order
  return {
    cause: 'order',
    product: order.product[line.locale],
    ...(await serverAt(sql, { serverId: order.server_id, line })),
    period: start && end ? { start: start.toISOString(), end: end.toISOString() } : null,
    formula: order.parts.length > 0 ? order.parts.map((part) => partOf(part, months)) : monthsOf(order),
    bill: { kind: 'order', id: line.document.id },
  }
}

/** A package counts by months; resources and points are listed one by one. */
function partOf(part: OrderPart, months: number): FormulaPart {
  if (part.kind !== 'resource') return part
  const { key, quantity, monthlyFt, amountFt } = part
  if (key === 'package') return { kind: 'months', monthlyFt, months, amountFt }
  return { kind: 'resource', key, quantity, monthlyFt, months, amountFt }
}

const monthsOf = ({
  months,
  monthly_ft: monthlyFt,
}: Pick<OrderRow, 'months' | 'monthly_ft'>): [FormulaPart, ...FormulaPart[]] => [
  { kind: 'months', monthlyFt: Number(monthlyFt), months, amountFt: Number(monthlyFt) * months },
]

type RenewalRow = Pick<OrderRow, 'server_id' | 'months' | 'monthly_ft' | 'product'> & {
  automatic: boolean
  discount_ft: bigint
  period_start: Date
  period_end: Date
}

async function explainRenewal(sql: Sql, line: Documented): Promise<Explained | undefined> {
  const [renewal] = await sql.query<RenewalRow>(
    `select server_id, months, monthly_ft, discount_ft, product, automatic, period_start, period_end
     from control.renewals where id = $1 and user_id = $2`,
    [line.document.id, line.userId],
  )
  if (!renewal) return undefined
  const listedFt = Number(renewal.monthly_ft) * renewal.months
  const discountFt = Number(renewal.discount_ft)
  const discount: FormulaPart[] =
    discountFt === 0
      ? []
      : [{ kind: 'premium-discount', percent: discountPercentOf(discountFt, listedFt), amountFt: -discountFt }]
  return {
    cause: renewal.automatic ? 'renewal-automatic' : 'renewal',
    product: renewal.product[line.locale],
    ...(await serverAt(sql, { serverId: renewal.server_id, line })),
    period: { start: renewal.period_start.toISOString(), end: renewal.period_end.toISOString() },
    formula: [...monthsOf(renewal), ...discount],
    bill: { kind: 'renewal', id: line.document.id },
  }
}

type ModificationRow = {
  server_id: string
  from_monthly_ft: bigint
  to_monthly_ft: bigint
  days: number
  charge_ft: bigint
  back_ft: bigint
  from_limits: ServerSize
  to_limits: ServerSize
  product: LocalizedText | null
  start_at: Date | null
  end_at: Date | null
}

async function explainModification(sql: Sql, line: Documented): Promise<Explained | undefined> {
  const [change] = await sql.query<ModificationRow>(
    `select m.server_id, m.from_monthly_ft, m.to_monthly_ft, m.days, m.charge_ft, m.back_money_ft + m.back_bonus_ft as back_ft,
       m.from_limits, m.to_limits, s.service_name as product, p.start_at, p.end_at
     from control.modifications m join control.servers s on s.id = m.server_id
       left join lateral (select min(start_at) as start_at, max(end_at) as end_at
         from control.paid_spans where modification_id = m.id) p on true where m.id = $1 and m.user_id = $2`,
    [line.document.id, line.userId],
  )
  if (!change) return undefined
  const isBack = line.type === 'refund'
  const { start_at: start, end_at: end } = change
  const { server } = await serverAt(sql, { serverId: change.server_id, line })
  return {
    cause: 'modification',
    product: change.product?.[line.locale] ?? null,
    server,
    size: isBack ? change.to_limits : change.from_limits,
    newSize: isBack ? change.from_limits : change.to_limits,
    period: start && end ? { start: start.toISOString(), end: end.toISOString() } : null,
    formula: formulaOfChange(change),
    bill: { kind: 'modification', id: line.document.id },
  }
}

/**
 * The days are exact to two decimals if the time is known, because the price depends on it. The premium discount is the
 * difference from the full price.
 */
function formulaOfChange(change: ModificationRow): FormulaPart[] {
  const { from_monthly_ft: from, to_monthly_ft: to, charge_ft: charge, back_ft: back } = change
  const { start_at: start, end_at: end } = change
  const prices = { fromMonthlyFt: Number(from), toMonthlyFt: Number(to) }
  if (charge === 0n) return [{ kind: 'days-returned', ...prices, days: change.days, amountFt: Number(back) }]
  const leftMs = start && end ? end.getTime() - start.getTime() : change.days * DAY_MS
  const told = explainUpgrade({ fromMonthlyFt: from, toMonthlyFt: to, chargeFt: charge, leftMs })
  const charged: FormulaPart = { kind: 'days-charged', ...prices, days: told.days, amountFt: told.wholeFt }
  if (told.discountFt === 0) return [charged]
  return [charged, { kind: 'premium-discount', percent: told.discountPercent, amountFt: -told.discountFt }]
}

type ServerRow = { id: string; name: string; is_there: boolean; size: ServerSize }

/** The server of a line, and its size at that time: the size before its next resize or revert, or the current one. */
async function serverAt(
  sql: Sql,
  { serverId, line }: { serverId: string; line: LineFacts },
): Promise<Pick<Explained, 'server' | 'size'> & { server: TransactionDetail['server'] }> {
  const [row] = await sql.query<ServerRow>(
    `select s.id, s.name, s.deleted_at is null and s.desired <> 'deleted' and s.owner_id = $2 as is_there,
       coalesce((select size from (select created_at as at, from_limits as size from control.modifications where server_id = s.id
           union all select reversed_at, to_limits from control.modifications where server_id = s.id) as changes
           where at > $3 order by at limit 1),
         jsonb_build_object('cpuPercent', s.cpu_percent, 'memoryMiB', s.memory_mib, 'storageMiB', s.storage_mib)) as size
     from control.servers s where s.id = $1`,
    [serverId, line.userId, line.at],
  )
  if (!row) return { server: null, size: null }
  return { server: { id: row.id, name: row.name, isThere: row.is_there }, size: row.size }
}

async function explainPremium(sql: Sql, { userId, amountFt, document }: Documented): Promise<Explained | undefined> {
  const [bought] = await sql.query<{ tier: PremiumTier; started_at: Date; expires_at: Date }>(
    'select tier, started_at, expires_at from control.premium_purchases where id = $1 and user_id = $2',
    [document.id, userId],
  )
  if (!bought) return undefined
  const period = { start: bought.started_at.toISOString(), end: bought.expires_at.toISOString() }
  const product = `Premium ${TIER_NAMES[bought.tier]}`
  const formula: [FormulaPart] = [{ kind: 'flat', amountFt }]
  return { cause: 'premium', product, period, formula, bill: { kind: 'premium', id: document.id } }
}

async function explainSpins(sql: Sql, { userId, document }: Documented): Promise<Explained | undefined> {
  const [bought] = await sql.query<{ count: number; price_ft: bigint }>(
    'select count, price_ft from control.spin_purchases where id = $1 and user_id = $2',
    [document.id, userId],
  )
  if (!bought) return undefined
  const { count, price_ft: priceFt } = bought
  const each: FormulaPart = { kind: 'each', count, eachFt: Number(priceFt) / count, amountFt: Number(priceFt) }
  return { cause: 'spins', formula: [each], bill: { kind: 'spin', id: document.id } }
}

/** Invoices of the document with their stornos and corrections, oldest first. */
const documentsOf = async (
  sql: Sql,
  { userId, bill }: { userId: string; bill: NonNullable<Explained['bill']> },
): Promise<TransactionDetail['documents']> => {
  const rows = await sql.query<{ id: string; number: string; kind: 'invoice' | 'storno' | 'correction' }>(
    `select id, number, kind from control.invoices where user_id = $1 and document_kind = $2
       and (document_id = $3 or starts_with(document_id, $3 || ':again:')) order by id`,
    [userId, bill.kind, bill.id],
  )
  return rows.map((row) => ({ ...row, downloadUrl: `/api/balance/invoices/${row.id}/pdf` }))
}
