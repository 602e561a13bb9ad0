import * as z from 'zod'
import { Id } from '../primitives.ts'

export const MESSAGE_SEVERITIES = ['info', 'warning', 'error'] as const
export type MessageSeverity = (typeof MESSAGE_SEVERITIES)[number]
/** `public`: everybody on every page; `customers`: everybody who is signed in; `staff`: administrators and support. */
export const MESSAGE_AUDIENCES = ['public', 'customers', 'staff'] as const
export type MessageAudience = (typeof MESSAGE_AUDIENCES)[number]

/** A global message, in the reader's language. */
export const GlobalMessage = z.object({
  id: Id,
  /** Changes with each edit: a dismissed message is then shown again. */
  revision: z.string(),
  severity: z.enum(MESSAGE_SEVERITIES),
  text: z.string(),
})
export type GlobalMessage = z.infer<typeof GlobalMessage>

/** `POST /api/global-message/dismiss`: the revision that the reader saw, so that a message changed meanwhile stays. */
export const MessageDismissal = GlobalMessage.pick({ id: true }).extend({
  revision: z.string().min(1).max(32),
})
export type MessageDismissal = z.infer<typeof MessageDismissal>

/**
 * `GET /api/global-message`: the current messages, the most severe first. `reader` is the account whose dismissals
 * count.
 */
export const GlobalMessages = z.object({ reader: Id.nullable(), messages: z.array(GlobalMessage) })
export type GlobalMessages = z.infer<typeof GlobalMessages>
