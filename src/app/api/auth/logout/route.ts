import { recordActivity } from '@/identity/activities.ts'
import { authenticate } from '@/identity/authenticate.ts'
import { cookieName, readCookie } from '@/identity/cookies.ts'
import { identity } from '@/identity/dependencies.ts'
import { endSession, subjectOfRefreshToken } from '@/identity/sessions.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { siteSettings } from '@/lib/site/env.ts'
import { announceEnd, clearedCookies } from '@/lib/session.ts'

const subjectOf = async (headers: Headers) => {
  const { isSecure } = siteSettings()
  const signedIn = await authenticate(identity(), headers, isSecure)
  if (signedIn.ok) return signedIn.subject
  // The access token lives 15 minutes: whoever signs out later shows the refresh token.
  const refreshToken = readCookie(headers.get('cookie'), cookieName('refresh', isSecure))
  return refreshToken === null ? null : subjectOfRefreshToken(identity(), refreshToken)
}

// Signing out always succeeds: a browser without a session is where it wants to be.
export const POST = apiHandler('POST /api/auth/logout', async (call) => {
  const { input, headers, requestId, address } = call
  const subject = await subjectOf(headers)
  if (subject !== null) {
    const all = input.all === true
    await endSession(identity(), subject, all)
    const type = all ? 'logout.everywhere' : 'logout'
    await recordActivity(identity().db, identity(), { userId: subject.userId, type, status: 'success', address })
    await announceEnd({ userId: subject.userId, sessionId: all ? null : subject.sessionId }, requestId)
  }
  return { body: {}, cookies: clearedCookies() }
})
