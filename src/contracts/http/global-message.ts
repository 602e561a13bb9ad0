import * as z from 'zod'
import { Id } from '../primitives.ts'

export const MESSAGE_SEVERITIES = ['info', 'warning', 'error'] as const
export type MessageSeverity = (typeof MESSAGE_SEVERITIES)[number]
/** `public`: everybody on every page; `customers`: whoever is signed in; `staff`: administrators and support. */
export const MESSAGE_AUDIENCES = ['public', 'customers', 'staff'] as const
export type MessageAudience = (typeof MESSAGE_AUDIENCES)[number]

/** A message to everybody of an audience, in the reader's language. */
export const GlobalMessage = z.object({
  id: Id,
  /** Another one after each change: what was dismissed before is shown again. */
  revision: z.string(),
  severity: z.enum(MESSAGE_SEVERITIES),
  text: z.string(),
})
export type GlobalMessage = z.infer<typeof GlobalMessage>

/** `POST /api/global-message/dismiss`: as the reader saw it, so that a message that has changed meanwhile stays. */
export const MessageDismissal = GlobalMessage.pick({ id: true }).extend({
  revision: z.string().min(1).max(32),
})
export type MessageDismissal = z.infer<typeof MessageDismissal>

/** `GET /api/global-message`: what is shown now, the gravest first. `reader` is whose dismissals count. */
export const GlobalMessages = z.object({ reader: Id.nullable(), messages: z.array(GlobalMessage) })
export type GlobalMessages = z.infer<typeof GlobalMessages>
