import { identity } from '@/identity/dependencies.ts'
import { listSessions } from '@/identity/list-sessions.ts'
import { withPlaces } from '@/identity/places.ts'
import { apiHandler } from '@/lib/api-handler.ts'

export const GET = apiHandler('GET /api/user/sessions', async ({ subject, locale }) => {
  const context = identity()
  return { body: withPlaces(await listSessions(context, subject), { places: context.places, locale }) }
})
