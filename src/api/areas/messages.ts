import { identity } from '../../identity/dependencies.ts'
import { readSwitches } from '../../identity/switches.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { dismissMessage } from '../../lib/message-store/dismissed-messages.ts'
import { createMessageStore, messagesFor } from '../../lib/message-store/read-messages.ts'
import type { ApiArea } from '../api-call.ts'

let store: ReturnType<typeof createMessageStore> | undefined

/** Global messages, and the switches of staff. */
export const messagesArea = {
  'POST /api/global-message/dismiss': async ({ subject, input }) => {
    await dismissMessage(identity(), subject.userId, input)
    return { body: {} }
  },
  'GET /api/global-message': async ({ headers, locale, query }) => {
    const context = identity()
    store ??= createMessageStore(context.db, () => context.clock.now())
    const { isSecure } = siteSettings()
    return { body: await messagesFor(context, store, { headers, locale: query.locale ?? locale, isSecure }) }
  },
  'GET /api/switches': async () => ({ body: await readSwitches(identity().db) }),
} satisfies ApiArea
