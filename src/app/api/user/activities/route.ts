import { MAX_ITEMS } from '#contracts/primitives.ts'
import { listActivities, mergeActivities } from '@/identity/people/activities.ts'
import { identity } from '@/identity/dependencies.ts'
import { withPlaces } from '@/identity/context/places.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { nextLink } from '@/lib/next-link.ts'

// What was done with the account is the site's to tell, what was done with money and servers the control plane's.
export const GET = apiHandler('GET /api/user/activities', async (call) => {
  const page = { ...call.query, limit: call.query.limit ?? MAX_ITEMS }
  const [own, others] = await Promise.all([
    listActivities(identity().db, { userId: call.subject.userId, ...page }),
    askControlPlane('activities', page, call),
  ])
  const { places } = identity()
  const items = withPlaces(mergeActivities([own, others], page.limit), { places, locale: call.locale })
  return { body: items, headers: nextLink('/api/user/activities', call.query, items) }
})
