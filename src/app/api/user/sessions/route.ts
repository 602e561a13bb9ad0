import { identity } from '@/identity/dependencies.ts'
import { listSessions } from '@/identity/sessions/list-sessions.ts'
import { withPlaces } from '@/identity/context/places.ts'
import { apiHandler } from '@/lib/api-handler.ts'

export const GET = apiHandler('GET /api/user/sessions', async ({ subject, locale }) => {
  const context = identity()
  return { body: withPlaces(await listSessions(context, subject), { places: context.places, locale }) }
})
