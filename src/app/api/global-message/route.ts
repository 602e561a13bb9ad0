import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { createMessageStore, messagesFor } from '@/lib/message-store/read-messages.ts'

let store: ReturnType<typeof createMessageStore> | undefined

export const GET = apiHandler('GET /api/global-message', async ({ headers, locale, query }) => {
  const context = identity()
  store ??= createMessageStore(context.db, () => context.clock.now())
  const { isSecure } = siteSettings()
  return { body: await messagesFor(context, store, { headers, locale: query.locale ?? locale, isSecure }) }
})
