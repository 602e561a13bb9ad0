import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdentityDatabase } from '../../../src/identity/context/database.ts'
import type { IdentityDatabase } from '../../../src/identity/context/database.ts'
import { PERSONAL_TABLES } from '../../../src/domain/users/personal-tables.ts'
import type { TestDatabase } from '../../support/postgres.ts'
import { createWholeDatabase } from '../../support/whole-database.ts'

let database: TestDatabase
let db: IdentityDatabase
beforeAll(async () => {
  database = await createWholeDatabase()
  db = openIdentityDatabase(database.url)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** Ids of something else than a person, by the name that the column has everywhere. */
const OTHER_IDS: Readonly<Record<string, string>> = {
  _parent_id: 'the row that a part of it belongs to',
  banner_id: 'a picture',
  icon_id: 'a picture',
  server_template_id: 'a template',
  service_id: 'a service',
  package_id: 'a package',
  category_id: 'a category of tickets',
  ticket_id: 'a ticket',
  follows_id: 'a ticket',
  from_package_id: 'a package',
  to_package_id: 'a package',
  planned_package_id: 'a package',
  template_id: 'a template',
  computer_id: 'a computer',
  node_id: 'a node',
  server_id: 'a server',
  tx_id: 'a movement of money',
  session_id: 'a session, or an agent’s',
  behind_session: 'an agent’s session',
  delivered_session: 'an agent’s session',
  passkey_id: 'a passkey',
  jti: 'a ticket',
  kid: 'a key',
}

/** Tables that hold what may name somebody, and why they are in neither list. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'control.ticket_attachments.message_id': 'a message of a ticket',
  'control.votes.voting_id': 'a voting of the host for everybody',
  'identity.dismissed_messages.message_id': 'a message of the host to everybody',
  'identity.refresh_tokens.session_id': 'goes with its session; holds hashes and times',
  'identity.reset_requests.email': 'an address that somebody typed, answered and gone within seconds',
  'control.ledger_transactions.actor': 'the books: the id of the account',
  'control.ledger_transactions.ref_id': 'the books: the id of a document',
  'control.wallet_transactions.document_id': 'the books: the id of a document',
  'control.wallet_transactions.reference_id': 'the books: the id of a document',
  'control.provider_reversals.closed_by': 'the books: who of the staff said how a dispute ended',
  'control.coupon_reservations.coupon_id': 'a coupon',
  'control.coupon_reservations.order_id': 'an order of the row’s person',
  'control.orders.coupon_id': 'a coupon',
  'control.withdrawals.document_id': 'an order, renewal or purchase of the row’s person',
  'control.spin_grants.coupon_id': 'a coupon',
  'public.users.email': 'the person’s own row',
  'public.users.username': 'the person’s own row',
  'public.settings.smtp_username': 'the host’s mailbox',
  'public.invoicing.seller_bank_account': 'the host’s own',
  'public.invoicing.seller_email': 'the host’s address',
  'public.landing.registry_email': 'the host’s address',
  'control.ledger_checkpoints.account_id': 'the books: an account of the ledger',
  'control.ledger_holds.actor': 'the books: the id of the account',
}

type Column = { table: string; column: string; type: string; target: string | null }

const readColumns = () =>
  db.query<Column>(`
    select c.table_schema || '.' || c.table_name as "table", c.column_name as "column", c.data_type as type, fk.target
    from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      left join lateral (
        select k.confrelid::regclass::text as target from pg_constraint k
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
        where k.contype = 'f' and k.conrelid = format('%I.%I', c.table_schema, c.table_name)::regclass
          and a.attname = c.column_name limit 1) fk on true
    where c.table_schema in ('public', 'identity', 'control') and t.table_type = 'BASE TABLE'
    order by 1, 2`)

const NAMES_SOMEBODY =
  /(^|_)(users?|owner|person|people|recipient|e?mail|username|actor|requested_by|created_by|account)(_|$)/
const isText = ({ type }: Column) => /^(character varying|text)$/.test(type)

/** Whether a column may say who somebody is. An id of another kind says so by its foreign key, or stands in OTHER_IDS. */
const mayName = (row: Column): boolean => {
  if (row.target === 'users' || row.target === 'public.users') return true
  if (row.type === 'uuid') return row.column !== 'id' && row.target === null && OTHER_IDS[row.column] === undefined
  return isText(row) && NAMES_SOMEBODY.test(row.column)
}

/** Tables of which nothing of the person stays: what else their rows say goes with them. */
const emptied = new Set(PERSONAL_TABLES.filter(({ onDeletion }) => onDeletion === 'delete').map(({ table }) => table))
const registered = new Set(
  PERSONAL_TABLES.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
)

test('every column with personal data is in the registry, or an exception with its reason', async () => {
  const columns = await readColumns()
  expect(columns.length).toBeGreaterThan(200)
  const left = columns.filter((row) => mayName(row) && !(isText(row) && emptied.has(row.table)))
  const names = left.map(({ table, column }) => `${table}.${column}`)
  expect(names.filter((name) => !registered.has(name) && EXCEPTIONS[name] === undefined)).toEqual([])
})

test('registry and exceptions name existing columns, also the blanked and omitted ones', async () => {
  const all = new Set((await readColumns()).map(({ table, column }) => `${table}.${column}`))
  const named = PERSONAL_TABLES.flatMap(({ table, columns, blanks, export: taken }) => {
    const exported = taken?.file === undefined ? (taken?.without ?? []) : [taken.file, ...taken.beside]
    return [...columns, ...Object.keys(blanks ?? {}), ...exported].map((column) => `${table}.${column}`)
  })
  expect([...named, ...Object.keys(EXCEPTIONS)].filter((name) => !all.has(name))).toEqual([])
})

test('a forgotten table is found', async () => {
  await db.query('create table identity.forgotten (id uuid primary key, somebody uuid not null, user_name text)')
  const names = (await readColumns()).filter(mayName).map(({ table, column }) => `${table}.${column}`)
  expect(names).toContain('identity.forgotten.somebody')
  await db.query('drop table identity.forgotten')
})
