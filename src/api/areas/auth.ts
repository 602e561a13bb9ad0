import { mintGatewayTicket } from '../../identity/keys/access-tokens.ts'
import { recordActivity } from '../../identity/people/activities.ts'
import { authenticate } from '../../identity/sessions/authenticate.ts'
import { confirmEmailChange, undoEmailChange } from '../../identity/accounts/change-email.ts'
import { cookieName, readCookie, setCookie } from '../../identity/sessions/cookies.ts'
import { identity } from '../../identity/dependencies.ts'
import { finishLogin, login } from '../../identity/sign-in/login.ts'
import { beginPasskeyLogin, finishPasskeyLogin } from '../../identity/sign-in/passkey-login.ts'
import { register } from '../../identity/accounts/register.ts'
import { askForReset, resetPassword } from '../../identity/accounts/reset-password.ts'
import { endSession, refreshSession, subjectOfRefreshToken } from '../../identity/sessions/sessions.ts'
import { resendEmailCode, verifyEmail } from '../../identity/accounts/verify-email.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { browserSecrets, refused, refusedSignIn, sitePasskeys } from '../person.ts'
import { announceEnd, clearedCookies, secondStepCookies, sessionCookies, tokenAnswer } from '../session.ts'
import { GATEWAY_TICKET_SECONDS } from '#contracts/http/auth.ts'
import type { ApiArea } from '../api-call.ts'

const subjectOf = async (headers: Headers) => {
  const { isSecure } = siteSettings()
  const signedIn = await authenticate(identity(), headers, isSecure)
  if (signedIn.ok) return signedIn.subject
  // The access token expires after 15 minutes: a later sign-out is identified by the refresh token.
  const refreshToken = readCookie(headers.get('cookie'), cookieName('refresh', isSecure))
  return refreshToken === null ? null : subjectOfRefreshToken(identity(), refreshToken)
}

/** Accounts, sign-in and sessions. */
export const authArea = {
  'POST /api/auth/email/confirm': async ({ input }) => {
    const answer = await confirmEmailChange(identity(), input.token)
    if (!answer.ok) throw refused(answer)
    return { body: { email: answer.email } }
  },
  'POST /api/auth/email/undo': async ({ input, requestId }) => {
    const answer = await undoEmailChange(identity(), input.token)
    if (!answer.ok) throw refused(answer)
    await announceEnd({ userId: answer.userId, sessionId: null }, requestId)
    return { body: { email: answer.email }, cookies: clearedCookies() }
  },
  'GET /api/auth/gateway-ticket': async ({ subject }) => {
    const { clock, ids, keys } = identity()
    const ticket = await mintGatewayTicket({ subject, nowMs: clock.now(), ids, key: await keys.signing() })
    return { body: { ticket, expires_in: GATEWAY_TICKET_SECONDS } }
  },
  'POST /api/auth/login/factor': async ({ input, headers, address, userAgent }) => {
    const { device, browser } = browserSecrets(headers)
    const step = { challenge: { token: input.challenge, browser }, code: input.code, device }
    const answer = await finishLogin(identity(), step, { address, userAgent })
    if (!answer.ok) throw refusedSignIn(answer)
    return { body: tokenAnswer(answer.tokens), cookies: secondStepCookies(answer.tokens, answer.device) }
  },
  'POST /api/auth/login': async ({ input, headers, address, userAgent }) => {
    const attempt = { name: input.username, password: input.password, code: input.code, ...browserSecrets(headers) }
    const answer = await login(identity(), attempt, { address, userAgent })
    if (answer.ok) return { body: tokenAnswer(answer.tokens), cookies: sessionCookies(answer.tokens, answer.device) }
    if (answer.code !== 'OTP_REQUIRED') throw refusedSignIn(answer)
    const { challenge, factors } = answer
    throw new ApiError('OTP_REQUIRED', {
      // One half of the challenge; it is useless without the cookie.
      params: {
        challenge: challenge.token,
        factors: [...(factors.totp ? ['totp'] : []), ...(factors.passkeys > 0 ? ['passkey'] : [])].join(' '),
      },
      cookies: [setCookie('challenge', challenge.browser, siteSettings().isSecure)],
    })
  },
  // Signing out always succeeds: a browser without a session is already signed out.
  'POST /api/auth/logout': async (call) => {
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
  },
  'POST /api/auth/passkey/login': async ({ input, headers, address, userAgent }) => {
    const { device, browser } = browserSecrets(headers)
    const { userHandle, ...assertion } = input.response.response
    const response = {
      ...input.response,
      clientExtensionResults: {},
      response: { ...assertion, ...(userHandle === undefined ? {} : { userHandle }) },
    }
    const attempt = { site: sitePasskeys(), challenge: { token: input.challenge, browser }, response, device }
    const answer = await finishPasskeyLogin(identity(), attempt, { address, userAgent })
    if (!answer.ok) throw refusedSignIn(answer)
    return { body: tokenAnswer(answer.tokens), cookies: secondStepCookies(answer.tokens, answer.device) }
  },
  'POST /api/auth/passkey/options': async ({ input, headers }) => {
    const { browser } = browserSecrets(headers)
    const second = input.challenge === undefined ? null : { token: input.challenge, browser }
    const answer = await beginPasskeyLogin(identity(), { site: sitePasskeys(), second, browser })
    if (!answer.ok) throw refused(answer)
    return {
      body: { challenge: answer.challenge.token, options: { ...answer.options } },
      cookies: [setCookie('challenge', answer.challenge.browser, siteSettings().isSecure)],
    }
  },
  'POST /api/auth/passwordreset/confirm': async (call) => {
    const { token, password } = call.input
    const answer = await resetPassword(identity(), { token, password }, call)
    if (!answer.ok) throw refused(answer)
    await announceEnd({ userId: answer.userId, sessionId: null }, call.requestId)
    return { body: {}, cookies: clearedCookies() }
  },
  'POST /api/auth/passwordreset': async (call) => {
    const { locale: language, requestId, address, userAgent } = call
    const answer = await askForReset(
      identity(),
      { email: call.input.email, language, requestId },
      { address, userAgent },
    )
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
  'POST /api/auth/refresh': async ({ input, headers, requestId, address }) => {
    const cookie = readCookie(headers.get('cookie'), cookieName('refresh', siteSettings().isSecure))
    const presented = input.refresh_token ?? cookie
    if (presented === null) throw new ApiError('UNAUTHENTICATED', { cookies: clearedCookies() })
    const answer = await refreshSession(identity(), presented, { address })
    if (answer.ok) return { body: tokenAnswer(answer.tokens), cookies: sessionCookies(answer.tokens) }
    if (answer.code === 'TOKEN_REUSED') await announceEnd(answer.ended, requestId)
    throw new ApiError(answer.code, { cookies: clearedCookies() })
  },
  'POST /api/auth/register': async (call) => {
    const { input, locale: language, address, userAgent, requestId } = call
    const { username, email, password } = input
    const person = { username, email, password, language, requestId }
    const answer = await register(identity(), person, { address, userAgent })
    if (answer.ok) return { body: { username: answer.username } }
    const { code } = answer
    throw new ApiError(code, 'retryAfterSeconds' in answer ? { retryAfterSeconds: answer.retryAfterSeconds } : {})
  },
  'POST /api/auth/verify/resend': async ({ subject, address, requestId }) => {
    const answer = await resendEmailCode(identity(), { userId: subject.userId, address, requestId })
    if (!answer.ok) throw refused(answer)
    return { body: { resendAfterSeconds: answer.resendAfterSeconds } }
  },
  'POST /api/auth/verify': async ({ subject, input }) => {
    const answer = await verifyEmail(identity(), { userId: subject.userId, code: input.code, email: input.email })
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
} satisfies ApiArea
