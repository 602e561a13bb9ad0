import { languageCookies } from '../../i18n/language-cookies.ts'
import { listActivities, mergeActivities } from '../../identity/people/activities.ts'
import { askForEmailChange } from '../../identity/accounts/change-email.ts'
import { changePassword } from '../../identity/accounts/change-password.ts'
import { identity } from '../../identity/dependencies.ts'
import { endOwnSession, listSessions } from '../../identity/sessions/list-sessions.ts'
import { withPlaces } from '../../identity/context/places.ts'
import { readPicture, removePicture, savePicture } from '../../identity/people/profile-picture.ts'
import { changeProfile } from '../../identity/people/profile.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import { nextLink } from '../next-link.ts'
import { announceEnded, personOf, refused } from '../person.ts'
import { announceEnd } from '../session.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { ApiArea } from '../api-call.ts'

// The bytes of an id never change. Only the browser may cache them: a shared cache would serve a deleted picture.
const PICTURE_HEADERS = {
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'content-disposition': 'inline; filename="profile.webp"',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}

/** Changes to the signed-in person's account, and its activity log. */
export const userArea = {
  'GET /api/uploads/profile/{id}': async (call) => {
    const bytes = await readPicture(identity().db, call.path.id)
    if (bytes === null) throw new ApiError('NOT_FOUND')
    return { body: new Uint8Array(bytes), headers: PICTURE_HEADERS }
  },
  // The site logs account activities, the control plane logs those of money and servers.
  'GET /api/user/activities': async (call) => {
    const page = { ...call.query, limit: call.query.limit ?? MAX_ITEMS }
    const [own, others] = await Promise.all([
      listActivities(identity().db, { userId: call.subject.userId, ...page }),
      askControlPlane('activities', page, call),
    ])
    const { places } = identity()
    const items = withPlaces(mergeActivities([own, others], page.limit), { places, locale: call.locale })
    return { body: items, headers: nextLink('/api/user/activities', call.query, items) }
  },
  'POST /api/user/email': async (call) => {
    const { email, password, code } = call.input
    const wish = { person: personOf(call), email, password, code, requestId: call.requestId }
    const answer = await askForEmailChange(identity(), wish, call)
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
  'PATCH /api/user/me': async (call) => {
    const settings = await changeProfile(identity(), { userId: call.subject.userId, change: call.input }, call)
    if (settings === null) throw new ApiError('UNAUTHENTICATED')
    const { language } = call.input
    return {
      body: settings,
      ...(language === undefined ? {} : { cookies: languageCookies(language, siteSettings().isSecure) }),
    }
  },
  'POST /api/user/password': async (call) => {
    const { currentPassword, code, password } = call.input
    const answer = await changePassword(identity(), { person: personOf(call), currentPassword, code, password }, call)
    if (!answer.ok) throw refused(answer)
    await announceEnded(call.subject.userId, answer.ended, call.requestId)
    return { body: { ended: answer.ended.length } }
  },
  'POST /api/user/picture': async (call) => {
    const { x, y, size } = call.query
    const crop = x === undefined || y === undefined || size === undefined ? null : { x, y, size }
    const answer = await savePicture(identity(), { userId: call.subject.userId, bytes: call.input, crop }, call)
    if (!answer.ok) throw refused(answer)
    return { body: { profilePictureId: answer.id } }
  },
  'DELETE /api/user/picture': async (call) => {
    await removePicture(identity(), { userId: call.subject.userId }, call)
    return { body: {} }
  },
  'POST /api/user/sessions/{id}/end': async (call) => {
    const { path, requestId } = call
    const { userId } = call.subject
    if (!(await endOwnSession(identity(), { userId, id: path.id }, call))) throw new ApiError('NOT_FOUND')
    await announceEnd({ userId, sessionId: path.id }, requestId)
    return { body: {} }
  },
  'GET /api/user/sessions': async ({ subject, locale }) => {
    const context = identity()
    return { body: withPlaces(await listSessions(context, subject), { places: context.places, locale }) }
  },
} satisfies ApiArea
