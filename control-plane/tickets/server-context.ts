import { createHash } from 'node:crypto'
import {
  ContextLog,
  MissingLog,
  type AboutServer,
  type SeenContext,
  type ServerContext,
} from '#contracts/http/desk/server-context.ts'
import { LocalizedText, type Locale } from '#contracts/locale.ts'
import { isReachableAt } from '#domain/servers/reachability.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { SERVER_TROUBLES } from '#domain/servers/server-trouble.ts'
import { SERVER_WORDS, statusOf } from '#domain/servers/status.ts'
import { CONTEXT_LIFE_MS, contextLines, contextName, keptLines } from '#domain/tickets/server-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'
import { readTemplate, readTemplateGuides } from '../cms/catalog-reader.ts'
import { errorTitle } from '../messages/mail/templates/known-error-titles.ts'
import type { Context } from '../platform/context.ts'
import type { ReadTail } from '../servers/nodes/console-tail.ts'
import { newestTroubles } from '../servers/store/newest-troubles.ts'
import { withMerged } from './ticket-store.ts'

/** So many of what a person has seen stay sendable: that of a few tabs. */
const KEPT_CONTEXTS = 10

/** As it is stored: names in all languages, known errors by their ids. */
const StoredContext = z.object({
  serverId: z.string(),
  identifier: z.string(),
  name: z.string(),
  game: LocalizedText,
  template: z.string(),
  version: z.string().nullable(),
  status: z.enum(SERVER_WORDS),
  errors: z.array(
    z.object({
      type: z.enum(SERVER_TROUBLES),
      at: z.string(),
      error: z.string().nullable(),
      /** Absent where none of the rules of staff named it. */
      staffError: LocalizedText.optional(),
    }),
  ),
  log: ContextLog.nullable(),
  missing: MissingLog.nullable().optional(),
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
  node_id: z.string(),
})
type Asked = { readonly userId: string; readonly serverId: string; readonly nowMs: number }
/** Reads the last lines of a server's console from its node. */
export type TailReader = (server: { nodeId: string; serverId: string }) => Promise<ReadTail>
type Facts = Omit<StoredContext, 'log' | 'missing'>
type Crash = { readonly at: string; readonly lines: readonly string[] }
type Found = {
  /** They are redacted. */
  readonly facts: Facts
  readonly nodeId: string
  readonly isSuspended: boolean
  /** The newest one with lines. */
  readonly crash: Crash | undefined
}

/** The facts about a person's own server; undefined for any other server. */
async function serverFacts(sql: Sql, { userId, serverId, nowMs }: Asked): Promise<Found | undefined> {
  const [found] = await sql.query<Record<string, unknown>>(
    `select v.id, v.identifier, v.name, v.state, v.suspended, v.node_renewed_at, v.template_id, v.service_name, s.node_id
     from control_api.servers v join control.servers s on s.id = v.id where v.id = $1 and v.owner_id = $2`,
    [serverId, userId],
  )
  if (found === undefined) return undefined
  const server = ServerRow.parse(found)
  const template = await readTemplate(sql, server.template_id)
  const guide = (await readTemplateGuides(sql)).find(({ id }) => id === server.template_id)
  const troubles = (await newestTroubles(sql, { serverIds: [server.id], nowMs, withLines: true })).get(server.id) ?? []
  const nodeReachable = isReachableAt(server.node_renewed_at?.getTime(), nowMs)
  const facts = {
    serverId: server.id,
    identifier: server.identifier,
    name: contextName(server.name),
    game: server.service_name,
    template: template?.name ?? '',
    version: guide?.version ?? null,
    status: statusOf({ state: server.state, suspended: server.suspended, nodeReachable }).word,
    errors: troubles.map(({ type, at, error, staffError }) => ({
      type,
      at,
      error,
      ...(staffError === null ? {} : { staffError }),
    })),
  }
  const crash = troubles.find(({ lines }) => lines.length > 0)
  return { facts, nodeId: server.node_id, isSuspended: server.suspended, crash }
}

/** The last lines of the console; those before the newest crash while they are not told. */
const logOf = (tail: ReadTail | 'suspended', crash: Crash | undefined): Pick<StoredContext, 'log' | 'missing'> => {
  if (typeof tail !== 'string')
    return { log: { at: new Date(tail.atMs).toISOString(), lines: tail.lines, source: 'console' }, missing: null }
  const log = crash ? { at: crash.at, lines: [...contextLines(crash.lines)], source: 'crash' as const } : null
  return { log, missing: tail }
}

const shown = ({ game, errors, ...facts }: StoredContext, locale: Locale): ServerContext => ({
  ...facts,
  game: game[locale],
  errors: errors.map(({ type, at, ...named }) => ({ type, at, reason: errorTitle(named, locale) ?? null })),
})

const digestOf = (content: object): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** The mark of a context: the same for the same content, in whichever language it is read. */
const markOf = (context: StoredContext): string => digestOf(StoredContext.parse(context))

/** Whether everything but the log is the same. A console has other lines a moment later. */
const isSameFacts = (one: Facts, other: Facts): boolean => {
  const withoutLog = (facts: Facts) => markOf({ ...facts, log: null, missing: null })
  return withoutLog(one) === withoutLog(other)
}

/**
 * The facts as a customer sees them before sending, with their mark; undefined for a server that is not their own. They are kept for an hour, so that
 * exactly these lines of the console can be sent.
 */
export async function seenContext(
  { db, clock, readTail }: Pick<Context, 'db' | 'clock'> & { readTail: TailReader },
  { locale, ...asked }: Omit<Asked, 'nowMs'> & { locale: Locale },
): Promise<SeenContext | undefined> {
  const found = await serverFacts(db, { ...asked, nowMs: clock.now() })
  if (!found) return undefined
  const { facts, nodeId, isSuspended, crash } = found
  // As its console itself (invariant S-5).
  const tail = isSuspended ? 'suspended' : await readTail({ nodeId, serverId: facts.serverId })
  const context = { ...facts, ...logOf(tail, crash) }
  const mark = markOf(context)
  await db.query(
    `insert into control.seen_contexts (user_id, server_id, mark, context, created_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id, server_id, mark) do update set created_at = excluded.created_at`,
    [asked.userId, facts.serverId, mark, JSON.stringify(context), new Date(clock.now())],
  )
  // A person who looks over and over again keeps only the facts that may still be sent, and in any case the newest ones.
  await db.query(
    `delete from control.seen_contexts where user_id = $1 and mark in
       (select k.mark from control.seen_contexts k where k.user_id = $1
        order by k.mark = $3 desc, k.created_at desc, k.mark offset $2)`,
    [asked.userId, KEPT_CONTEXTS, mark],
  )
  return { context: shown(context, locale), mark }
}

/**
 * The facts that the customer saw under this mark, without the lines that they took out; undefined if they never saw them, saw them too long ago, or if
 * the facts beside the log are different by now.
 */
export async function takenContext(
  tx: Sql,
  { userId, server, nowMs }: { userId: string; server: AboutServer; nowMs: number },
): Promise<StoredContext | undefined> {
  const [row] = await tx.query<{ context: unknown }>(
    'select context from control.seen_contexts where user_id = $1 and server_id = $2 and mark = $3 and created_at > $4',
    [userId, server.id, server.mark, new Date(nowMs - CONTEXT_LIFE_MS)],
  )
  const now = row && (await serverFacts(tx, { userId, serverId: server.id, nowMs }))
  if (!now) return undefined
  const seen = StoredContext.parse(row.context)
  if (!isSameFacts(now.facts, seen)) return undefined
  const { withoutLines = [] } = server
  if (seen.log === null || withoutLines.length === 0) return seen
  const lines = [...keptLines(seen.log.lines, withoutLines)]
  return { ...seen, log: { ...seen.log, lines, removed: seen.log.lines.length - lines.length } }
}

/** Stores with a new ticket what its customer saw of their server. */
export async function storeContext(tx: Sql, ticketId: string, context: StoredContext): Promise<void> {
  await tx.query('update control.tickets set server_context = $2 where id = $1', [ticketId, JSON.stringify(context)])
}

/**
 * The facts that were sent with a ticket, or with the first one that was merged into it, in the reader's language, with the mark of what is
 * read; undefined for a ticket without any.
 */
export async function ticketContext(sql: Sql, ticketId: string, locale: Locale): Promise<SeenContext | undefined> {
  const [row] = await sql.query<{ server_context: unknown }>(
    `select t.server_context from control.tickets t where t.id in ${withMerged('$1::uuid')} and t.server_context is not null
     order by t.id <> $1, t.created_at, t.id limit 1`,
    [ticketId],
  )
  const context = row?.server_context
  if (context === null || context === undefined) return undefined
  const read = shown(StoredContext.parse(context), locale)
  return { context: read, mark: digestOf(read) }
}
