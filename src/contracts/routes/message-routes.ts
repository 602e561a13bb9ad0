import * as z from 'zod'
import { LOCALES } from '../locale.ts'
import { Nothing } from '../primitives.ts'
import { GlobalMessages, MessageDismissal } from '../http/global-message.ts'
import { Switches } from '../http/switches.ts'

/** Rows of the API table: global messages, and staff's switches. */
export const MESSAGE_ROUTES = {
  'GET /api/global-message': {
    summary: 'List the global messages shown to the caller',
    auth: 'none',
    limit: 'messages',
    query: z.object({ locale: z.enum(LOCALES).optional() }),
    output: GlobalMessages,
  },
  'GET /api/switches': {
    summary: 'Get the feature switches set by staff',
    auth: 'none',
    limit: 'publicRead',
    output: Switches,
  },
  'POST /api/global-message/dismiss': {
    summary: 'Dismiss a global message',
    auth: 'user',
    limit: 'settings',
    input: MessageDismissal,
    output: Nothing,
  },
} as const
