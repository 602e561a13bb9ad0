import * as z from 'zod'
import {
  ComputerRow,
  InvoiceContactRow,
  InvoicingRow,
  MoneySettingsRow,
  PersonRow,
  SettingsRow,
  TicketCategoryRow,
  TicketStaffRow,
} from '#contracts/cms-api/rows.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** Reads one view of the CMS. A row that violates the contract is a bug in the CMS's migration, so it throws. */
async function read<Schema extends z.ZodObject>(
  sql: Sql,
  { view, schema }: { view: string; schema: Schema },
  filter: { where?: string; values?: readonly unknown[] } = {},
): Promise<z.infer<Schema>[]> {
  const columns = Object.keys(schema.shape).join(', ')
  const text = `select ${columns} from cms_api.${view} ${filter.where ? `where ${filter.where}` : ''}`
  const rows = await sql.query<Record<string, unknown>>(text, filter.values ?? [])
  return z.array(schema).parse(rows)
}

const PEOPLE = { view: 'people', schema: PersonRow }
const COMPUTERS = { view: 'computers', schema: ComputerRow }

/** The people with these ids; unknown ids are missing from the result. */
export const readPeople = (sql: Sql, ids: readonly string[]): Promise<PersonRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : read(sql, PEOPLE, { where: 'id = any ($1)', values: [ids] })

export const readPerson = async (sql: Sql, id: string): Promise<PersonRow | undefined> =>
  (await readPeople(sql, [id]))[0]

/** The person who proved that this address is theirs; an account that only claims it is none. */
export const findVerifiedPerson = async (sql: Sql, email: string): Promise<PersonRow | undefined> => {
  const where = `email = lower($1) and verified
    and not exists (select 1 from cms_api.erased_people erased where erased.id = people.id)`
  return (await read(sql, PEOPLE, { where, values: [email] }))[0]
}

export const readComputers = (sql: Sql): Promise<ComputerRow[]> => read(sql, COMPUTERS)

export const readComputer = async (sql: Sql, id: string): Promise<ComputerRow | undefined> =>
  (await read(sql, COMPUTERS, { where: 'id = $1', values: [id] }))[0]

/** The single row of settings. */
export async function readSettings(sql: Sql): Promise<SettingsRow> {
  const [row] = await read(sql, { view: 'settings', schema: SettingsRow })
  if (!row) throw new Error('cms_api.settings has no row')
  return row
}

/** The invoice recipient of a person, or undefined for an unknown person. */
export const readInvoiceContact = async (sql: Sql, id: string): Promise<InvoiceContactRow | undefined> =>
  (await read(sql, { view: 'invoice_contacts', schema: InvoiceContactRow }, { where: 'id = $1', values: [id] }))[0]

/** The single row of invoicing settings. */
export async function readInvoicing(sql: Sql): Promise<InvoicingRow> {
  const [row] = await read(sql, { view: 'invoicing', schema: InvoicingRow })
  if (!row) throw new Error('cms_api.invoicing has no row')
  return row
}

/** The amount in forints that one administrator may move by hand without an approver. */
export async function readManualLimitFt(sql: Sql): Promise<bigint> {
  const [row] = await read(sql, { view: 'money_settings', schema: MoneySettingsRow })
  if (!row) throw new Error('cms_api.money_settings has no row')
  return BigInt(row.manual_credit_limit_ft)
}

/** Whether a person has an account that may receive money: it exists, and is not being erased. */
export async function isCustomer(sql: Sql, id: string): Promise<boolean> {
  const [row] = await sql.query<{ here: boolean }>(
    `select exists (select 1 from cms_api.people where id = $1)
       and not exists (select 1 from cms_api.erased_people where id = $1) as here`,
    [id],
  )
  return row?.here === true
}

/** Which of these accounts are being or were erased. */
export const readErased = async (sql: Sql, ids: readonly string[]): Promise<string[]> =>
  (await sql.query<{ id: string }>('select id from cms_api.erased_people where id = any ($1)', [ids])).map(
    ({ id }) => id,
  )

/** Whether an account is being or was erased: only the books keep its id. */
export async function isErased(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('select 1 from cms_api.erased_people where id = $1', [id])).length > 0
}

/** Whether no session of an account goes on: staff suspended it, or its person leaves. */
export async function isSuspended(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('select 1 from cms_api.suspended_people where id = $1', [id])).length > 0
}

/** The people among these with a living account: it is neither suspended nor being or already erased. */
export const readActive = async (sql: Sql, ids: readonly string[]): Promise<string[]> =>
  (
    await sql.query<{ id: string }>(
      `select p.id from cms_api.people p where p.id = any ($1)
       and not exists (select 1 from cms_api.suspended_people s where s.id = p.id)
       and not exists (select 1 from cms_api.erased_people e where e.id = p.id)`,
      [ids],
    )
  ).map(({ id }) => id)

/** Every category of tickets, inactive ones too. */
export const readTicketCategories = (sql: Sql): Promise<TicketCategoryRow[]> =>
  read(sql, { view: 'ticket_categories', schema: TicketCategoryRow })

const TICKET_STAFF = { view: 'ticket_staff', schema: TicketStaffRow }

/** The categories of tickets that a person's support roles have. */
export const readTicketCategoriesOf = async (sql: Sql, userId: string): Promise<string[]> =>
  (await read(sql, TICKET_STAFF, { where: 'user_id = $1', values: [userId] })).flatMap(({ category_id: id }) =>
    id === null ? [] : [id],
  )

/** The people who work on the tickets of a category. */
export const readTicketStaff = async (sql: Sql, categoryId: string): Promise<string[]> => {
  const where = 'category_id is null or category_id = $1'
  const rows = await read(sql, TICKET_STAFF, { where, values: [categoryId] })
  return [...new Set(rows.map(({ user_id: id }) => id))]
}
