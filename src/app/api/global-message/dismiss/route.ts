import { identity } from '@/identity/dependencies.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { dismissMessage } from '@/lib/message-store/dismissed-messages.ts'

export const POST = apiHandler('POST /api/global-message/dismiss', async ({ subject, input }) => {
  await dismissMessage(identity(), subject.userId, input)
  return { body: {} }
})
