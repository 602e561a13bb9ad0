import { createHash } from 'node:crypto'
import type { SeenContext, ServerContext } from '#contracts/http/desk/server-context.ts'
import { LocalizedText, type Locale } from '#contracts/locale.ts'
import { isReachableAt } from '#domain/servers/reachability.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { SERVER_TROUBLES, TROUBLE_DAYS, TROUBLES_SHOWN } from '#domain/servers/server-trouble.ts'
import { SERVER_WORDS, statusOf } from '#domain/servers/status.ts'
import { contextLines, contextName } from '#domain/tickets/server-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'
import { readTemplate, readTemplateGuides } from '../cms/catalog-reader.ts'
import { withMerged } from './ticket-store.ts'
import { knownErrorTitle } from '../messages/mail/templates/known-error-titles.ts'

const DAY_MS = 86_400_000

/** As it is stored: names in all languages, known errors by their ids. */
const StoredContext = z.object({
  serverId: z.string(),
  identifier: z.string(),
  name: z.string(),
  game: LocalizedText,
  template: z.string(),
  version: z.string().nullable(),
  status: z.enum(SERVER_WORDS),
  errors: z.array(z.object({ type: z.enum(SERVER_TROUBLES), at: z.string(), error: z.string().nullable() })),
  log: z.object({ at: z.string(), lines: z.array(z.string()) }).nullable(),
})
export type StoredContext = z.infer<typeof StoredContext>

const ServerRow = z.object({
  id: z.string(),
  identifier: z.string(),
  name: z.string(),
  state: z.enum(SERVER_STATES),
  suspended: z.boolean(),
  node_renewed_at: z.date().nullable(),
  template_id: z.string(),
  service_name: LocalizedText,
})
const TroubleRow = z.object({
  type: z.enum(SERVER_TROUBLES),
  created_at: z.date(),
  error: z.string().nullable(),
  lines: z.array(z.string()).nullable(),
})

type Asked = { readonly userId: string; readonly serverId: string; readonly nowMs: number }

const troublesOf = async (sql: Sql, { serverId, nowMs }: Asked) => {
  const rows = await sql.query<Record<string, unknown>>(
    `select type, created_at, detail ->> 'error' as error, nullif(detail -> 'lines', 'null') as lines from control.activities
     where server_id = $1 and done_by <> 'staff' and type = any ($2) and created_at > $3
     order by created_at desc, id desc limit $4`,
    [serverId, SERVER_TROUBLES, new Date(nowMs - TROUBLE_DAYS * DAY_MS), TROUBLES_SHOWN],
  )
  return rows.map((row) => TroubleRow.parse(row))
}

/** The redacted facts of a server of one's own, for a new ticket; undefined for any other server. */
export async function serverContext(sql: Sql, asked: Asked): Promise<StoredContext | undefined> {
  const [found] = await sql.query<Record<string, unknown>>(
    `select id, identifier, name, state, suspended, node_renewed_at, template_id, service_name
     from control_api.servers where id = $1 and owner_id = $2`,
    [asked.serverId, asked.userId],
  )
  if (found === undefined) return undefined
  const server = ServerRow.parse(found)
  const template = await readTemplate(sql, server.template_id)
  const guide = (await readTemplateGuides(sql)).find(({ id }) => id === server.template_id)
  const troubles = await troublesOf(sql, asked)
  const crash = troubles.find(({ lines }) => lines !== null && lines.length > 0)
  const nodeReachable = isReachableAt(server.node_renewed_at?.getTime(), asked.nowMs)
  return {
    serverId: server.id,
    identifier: server.identifier,
    name: contextName(server.name),
    game: server.service_name,
    template: template?.name ?? '',
    version: guide?.version ?? null,
    status: statusOf({ state: server.state, suspended: server.suspended, nodeReachable }).word,
    errors: troubles.map(({ type, created_at: at, error }) => ({ type, at: at.toISOString(), error })),
    log: crash ? { at: crash.created_at.toISOString(), lines: [...contextLines(crash.lines ?? [])] } : null,
  }
}

const shown = ({ game, errors, ...facts }: StoredContext, locale: Locale): ServerContext => ({
  ...facts,
  game: game[locale],
  errors: errors.map(({ error, ...trouble }) => ({
    ...trouble,
    reason: knownErrorTitle(error ?? undefined, locale) ?? null,
  })),
})

/** The mark of a context: the same for the same content, in whichever language it is read. */
export const markOf = (context: StoredContext): string =>
  createHash('sha256')
    .update(JSON.stringify(StoredContext.parse(context)))
    .digest('hex')

/** The facts as a customer sees them before sending, with their mark; undefined for a server that is not their own. */
export async function seenContext(
  sql: Sql,
  { locale, ...asked }: Asked & { locale: Locale },
): Promise<SeenContext | undefined> {
  const context = await serverContext(sql, asked)
  return context && { context: shown(context, locale), mark: markOf(context) }
}

/** Stores with a new ticket what its customer saw of their server. */
export async function storeContext(tx: Sql, ticketId: string, context: StoredContext): Promise<void> {
  await tx.query('update control.tickets set server_context = $2 where id = $1', [ticketId, JSON.stringify(context)])
}

/** The facts that were sent with a ticket, or with the first one that was merged into it, in the reader's language; undefined for a ticket without any. */
export async function ticketContext(sql: Sql, ticketId: string, locale: Locale): Promise<ServerContext | undefined> {
  const [row] = await sql.query<{ server_context: unknown }>(
    `select t.server_context from control.tickets t where t.id in ${withMerged('$1::uuid')} and t.server_context is not null
     order by t.id <> $1, t.created_at, t.id limit 1`,
    [ticketId],
  )
  const context = row?.server_context
  return context === null || context === undefined ? undefined : shown(StoredContext.parse(context), locale)
}
