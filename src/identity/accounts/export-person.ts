import { exportPageOf, exportStatement } from '#domain/users/personal-statements.ts'
import { personalTablesOf } from '#domain/users/personal-tables.ts'
import type { ExportPage } from '#contracts/http/privacy.ts'
import { recordActivity } from '../people/activities.ts'
import type { TooMany } from '../people/account-limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { canReceive, enqueueMail, ONE_DAY_MINUTES, oneLine } from '../mails/mail-outbox.ts'
import { readMailbox } from '../people/people.ts'
import { proveAgain } from '../factors/prove-person.ts'
import type { Person, Reproof } from '../factors/prove-person.ts'

/** Reads a page of the person's rows in a table of the control plane. `email` is the person's address, or null. */
export type ReadElsewhere = (ask: { table: string; email: string | null; offset: number }) => Promise<ExportPage>

export type ExportWish = { readonly person: Person; readonly password: string; readonly code: string | undefined }

export type ExportProof =
  | {
      readonly ok: true
      readonly userId: string
      readonly email: string
      readonly isTheirs: boolean
      readonly username: string
    }
  | Extract<Reproof, { ok: false }>
  | TooMany

/** Permits an export for a person who re-authenticated, and notifies them by mail and in the security log. */
export const permitExport = async (
  context: IdentityContext,
  { person, password, code }: ExportWish,
  origin: Origin,
): Promise<ExportProof> => {
  const proved = await proveAgain(context, { person, password, code }, origin)
  if (!proved.ok) return proved
  const { userId } = person
  return context.db.transaction(async (tx) => {
    await recordActivity(tx, context, { userId, type: 'account.exported', status: 'success', address: origin.address })
    const mailbox = await readMailbox(tx, userId)
    if (mailbox && canReceive(mailbox)) {
      const { username, email: to, language } = mailbox
      const at = new Date(context.clock.now()).toISOString()
      const params = { username, address: oneLine(origin.address) || '?', at, path: '/auth/passwordreset' }
      const content = { kind: 'data-export', params } as const
      await enqueueMail(tx, context, { to, language, content, minutes: ONE_DAY_MINUTES, requestId: '' })
    }
    const { email = '', isTheirs = false, username = '' } = mailbox ?? {}
    return { ok: true, userId, email, isTheirs, username }
  })
}

async function* pagesOf(read: (offset: number) => Promise<ExportPage>): AsyncGenerator<ExportPage['rows']> {
  let offset: number | null = 0
  while (offset !== null) {
    const page: ExportPage = await read(offset)
    yield page.rows
    offset = page.next
  }
}

const readHere =
  (sql: Sql, userId: string, table: Parameters<typeof exportStatement>[0]) =>
  async (offset: number): Promise<ExportPage> => {
    const limit = exportPageOf(table)
    const statement = exportStatement(table, { userId, email: null }, { offset, limit })
    const rows = statement ? await sql.query<{ row: Record<string, unknown> }>(statement.text, statement.values) : []
    return { rows: rows.map(({ row }) => row), next: rows.length < limit ? null : offset + limit }
  }

type Exported = { readonly userId: string; readonly email: string; readonly isTheirs: boolean }

/**
 * Streams all personal data as JSON: `tables` holds the rows of each table. The e-mail address is the one that the
 * person entered. The control plane's part is read first, so that an incomplete export never begins.
 */
export async function* exportOf(
  { db, clock }: Pick<IdentityContext, 'db' | 'clock'>,
  { userId, email, isTheirs }: Exported,
  readElsewhere: ReadElsewhere,
): AsyncGenerator<string> {
  const known = isTheirs ? email : null
  const elsewhere = personalTablesOf('control plane')
    .filter((table) => table.export !== null)
    .map(({ table: name }) => ({
      name,
      read: (offset: number) => readElsewhere({ table: name, email: known, offset }),
    }))
  const here = personalTablesOf('site')
    .filter((table) => table.export !== null)
    .map((table) => ({ name: table.table, read: readHere(db, userId, table) }))
  const head = { format: 'bakter-export-1', exportedAt: new Date(clock.now()).toISOString(), email }
  let before = `${JSON.stringify(head).slice(0, -1)},"tables":{`
  for (const { name, read } of [...elsewhere, ...here]) {
    let separator = `${before}${JSON.stringify(name)}:[`
    before = '],\n'
    for await (const rows of pagesOf(read)) {
      const text = rows.map((row) => JSON.stringify(row)).join(',\n')
      if (text === '') continue
      yield `${separator}${text}`
      separator = ',\n'
    }
    // A table without rows is listed too: it shows that nothing is stored there.
    if (separator !== ',\n') yield separator
  }
  yield ']}}\n'
}
