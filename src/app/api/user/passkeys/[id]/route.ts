import { identity } from '@/identity/dependencies.ts'
import { renamePasskey } from '@/identity/factors/passkeys.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'

export const PATCH = apiHandler('PATCH /api/user/passkeys/{id}', async ({ path, input, subject }) => {
  const isTheirs = await renamePasskey(identity().db, { userId: subject.userId, id: path.id, name: input.name })
  if (!isTheirs) throw new ApiError('NOT_FOUND')
  return { body: {} }
})
