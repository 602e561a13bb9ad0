import { forints } from '#domain/billing/money.ts'
import { systemIds } from '#platform/ids.ts'
import { topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import type { Database, Sql } from '#platform/postgres/database.ts'
import { billedPerson } from './invoices.ts'
import { callerOf, orderContext } from './shop.ts'

/** A customer with money, whose billing profile has a country and a VAT number confirmed by the tax office. */
export async function taxedCustomer(
  database: { owner: Sql; db: Database },
  { country, vatNumber, atMs }: { country: string; vatNumber?: string | undefined; atMs: number },
): Promise<string> {
  const userId = await billedPerson(database.owner, { country })
  if (vatNumber !== undefined) {
    await database.owner.query('update cms_api.invoice_contacts set tax_number = $2 where id = $1', [userId, vatNumber])
    await database.owner.query(
      `insert into control.vat_checks (user_id, profile, number, is_valid, checked_at, next_try_at, updated_at)
       values ($1, $2, $3, true, $4, $4, $4)`,
      [userId, `${country} ${vatNumber}`, vatNumber, new Date(atMs)],
    )
  }
  const context = orderContext(database.db, { now: () => atMs })
  const key = systemIds.next()
  const origin = { id: systemIds.next(), atMs, actor: 'system', requestId: 'r' }
  const paid = { id: key, provider: 'sandbox', providerPaymentId: key, userId, amount: forints(1_000_000n) }
  await database.db.transaction((tx) => context.ledgerOn(tx).post(topUpSettled(origin, paid)))
  return userId
}

export const keyedFor = (userId: string) => ({
  caller: callerOf(userId),
  idempotencyKey: systemIds.next(),
  requestId: 'r',
})

/** The ledger's tax and revenue of a document. */
export async function bookedOf(owner: Sql, refId: string): Promise<{ net: number; vat: number }> {
  const [row] = await owner.query<{ net: number; vat: number }>(
    `select coalesce(sum(e.amount_minor) filter (where a.kind = 'revenue'), 0)::int as net,
       coalesce(sum(e.amount_minor) filter (where a.kind = 'vat_payable'), 0)::int as vat
     from control.ledger_transactions t join control.ledger_entries e on e.tx_id = t.id
       join control.ledger_accounts a on a.id = e.account_id where t.ref_id = $1`,
    [refId],
  )
  return row ?? { net: 0, vat: 0 }
}

export type WrittenDocument = {
  kind: string
  number: string
  cause: string
  documentId: string
  rule: string
  net: number
  vat: number
  gross: number
}

/** The documents of a customer in the order of their issue. */
export const documentsOf = (owner: Sql, userId: string): Promise<WrittenDocument[]> =>
  owner.query<WrittenDocument>(
    `select kind, number, document_kind as cause, document_id as "documentId", tax_rule as rule, net_ft::int as net,
       vat_ft::int as vat, gross_ft::int as gross
     from control.invoices where user_id = $1 order by id`,
    [userId],
  )
