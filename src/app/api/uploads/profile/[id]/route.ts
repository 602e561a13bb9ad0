import { identity } from '@/identity/dependencies.ts'
import { readPicture } from '@/identity/people/profile-picture.ts'
import { ApiError } from '@/lib/api-error.ts'
import { apiHandler } from '@/lib/api-handler.ts'

// The bytes of an id never change. Only the browser keeps them: a cache between would show a picture that is gone.
const HEADERS = {
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline; filename="profile.webp"',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}

export const GET = apiHandler('GET /api/uploads/profile/{id}', async (call) => {
  const bytes = await readPicture(identity().db, call.path.id)
  if (bytes === null) throw new ApiError('NOT_FOUND')
  return { body: new Uint8Array(bytes), headers: HEADERS }
})
