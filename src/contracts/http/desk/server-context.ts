import * as z from 'zod'
import { SERVER_TROUBLES } from '#domain/servers/server-trouble.ts'
import { SERVER_WORDS } from '#domain/servers/status.ts'
import { Id, Identifier, Instant } from '../../primitives.ts'

/**
 * What goes along with a ticket about a server, redacted (decision 94). `game` and `reason`, the name of a known error, are in the reader's language;
 * `log` are the last lines before the newest crash, null without one.
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
  log: z.object({ at: Instant, lines: z.array(z.string()) }).nullable(),
})
export type ServerContext = z.infer<typeof ServerContext>

/** The mark of exactly this content: a ticket is opened with what its customer saw, or not. */
export const ContextMark = z.string().regex(/^[\da-f]{64}$/)
/** `GET /api/ticket-context/{id}`: what would go along now. */
export const SeenContext = z.object({ context: ServerContext, mark: ContextMark })
export type SeenContext = z.infer<typeof SeenContext>
/** The caller's own server that a new ticket is about, with the mark of what they saw of it. */
export const AboutServer = z.strictObject({ id: Id, mark: ContextMark })
