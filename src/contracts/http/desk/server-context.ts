import * as z from 'zod'
import { SERVER_TROUBLES } from '#domain/servers/server-trouble.ts'
import { SERVER_WORDS } from '#domain/servers/status.ts'
import { CONTEXT_BOUNDS } from '#domain/tickets/server-context.ts'
import { Id, Identifier, Instant } from '../../primitives.ts'

export const ContextLog = z.object({
  at: Instant,
  lines: z.array(z.string()),
  source: z.enum(['console', 'crash']).optional(),
  removed: z.int().min(0).optional(),
})
/** `away`: the node did not answer. `empty`: the program has written nothing. `suspended`: nobody but staff reads its console. */
export const MissingLog = z.enum(['away', 'empty', 'suspended'])

/**
 * The facts that go along with a ticket about a server, redacted (decision 94). `game` and `reason`, the name of a known error, are in the reader's language.
 * `log` are the last lines of its console, or of its newest crash while its node does not tell them; `source` says which, and is absent in
 * tickets of earlier releases, which know crashes alone. `removed` counts the lines that the customer took out. `missing` says why there are no lines
 * of the console.
 */
export const ServerContext = z.object({
  serverId: Id,
  identifier: Identifier,
  name: z.string(),
  game: z.string(),
  template: z.string(),
  version: z.string().nullable(),
  status: z.enum(SERVER_WORDS),
  errors: z.array(z.object({ type: z.enum(SERVER_TROUBLES), at: Instant, reason: z.string().nullable() })),
  log: ContextLog.nullable(),
  missing: MissingLog.nullable().optional(),
})
export type ServerContext = z.infer<typeof ServerContext>

/** The mark of exactly this content: a ticket is opened with what its customer saw, or not. */
export const ContextMark = z.string().regex(/^[\da-f]{64}$/)
/** `GET /api/ticket-context/{id}`: what would go along now. */
export const SeenContext = z.object({ context: ServerContext, mark: ContextMark })
export type SeenContext = z.infer<typeof SeenContext>
/** The caller's own server that a new ticket is about, with the mark of what they saw of it, and which lines of the log stay out, counted from 0. */
export const AboutServer = z.strictObject({
  id: Id,
  mark: ContextMark,
  withoutLines: z
    .array(
      z
        .int()
        .min(0)
        .max(CONTEXT_BOUNDS.lines - 1),
    )
    .max(CONTEXT_BOUNDS.lines)
    .optional(),
})
export type AboutServer = z.infer<typeof AboutServer>
