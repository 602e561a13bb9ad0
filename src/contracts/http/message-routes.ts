import * as z from 'zod'
import { LOCALES } from '../locale.ts'
import { Nothing } from '../primitives.ts'
import { GlobalMessages, MessageDismissal } from './global-message.ts'

/** Rows of the API table: messages to everybody. */
export const MESSAGE_ROUTES = {
  'GET /api/global-message': {
    summary: 'Messages to everybody, as far as the caller is meant',
    auth: 'none',
    limit: 'messages',
    query: z.object({ locale: z.enum(LOCALES).optional() }),
    output: GlobalMessages,
  },
  'POST /api/global-message/dismiss': {
    summary: 'Close a message to everybody for good, for the caller',
    auth: 'user',
    limit: 'settings',
    input: MessageDismissal,
    output: Nothing,
  },
} as const
