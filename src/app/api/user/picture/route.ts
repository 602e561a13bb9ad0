import { identity } from '@/identity/dependencies.ts'
import { removePicture, savePicture } from '@/identity/people/profile-picture.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/picture', async (call) => {
  const { x, y, size } = call.query
  const crop = x === undefined || y === undefined || size === undefined ? null : { x, y, size }
  const answer = await savePicture(identity(), { userId: call.subject.userId, bytes: call.input, crop }, call)
  if (!answer.ok) throw refused(answer)
  return { body: { profilePictureId: answer.id } }
})

export const DELETE = apiHandler('DELETE /api/user/picture', async (call) => {
  await removePicture(identity(), { userId: call.subject.userId }, call)
  return { body: {} }
})
