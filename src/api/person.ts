import { cookieName, readCookie, setCookie } from '../identity/sessions/cookies.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import type { Person } from '../identity/factors/prove-person.ts'
import type { Leaving } from '../identity/sessions/sign-in.ts'
import { passkeySite } from '../identity/factors/passkey-site.ts'
import type { PasskeySite } from '../identity/factors/passkey-site.ts'
import { ApiError } from '../lib/site/api-error.ts'
import type { ErrorCode } from '#contracts/http/errors.ts'
import { siteSettings } from '../lib/site/env.ts'
import { announceEnd } from './session.ts'

/** The secrets in the browser's cookies: its known device and its pending sign-in. */
export const browserSecrets = (headers: Headers): { device: string | null; browser: string | null } => {
  const cookie = headers.get('cookie')
  const { isSecure } = siteSettings()
  return {
    device: readCookie(cookie, cookieName('device', isSecure)),
    browser: readCookie(cookie, cookieName('challenge', isSecure)),
  }
}

/** The sender of a call, for use cases that require re-authentication. */
export const personOf = ({ subject, headers }: { subject: Subject; headers: Headers }): Person => ({
  ...subject,
  device: browserSecrets(headers).device,
})

/** Turns the refusal of a use case into an ApiError. */
export const refused = (answer: { readonly code: ErrorCode; readonly retryAfterSeconds?: number }): ApiError =>
  new ApiError(
    answer.code,
    answer.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: answer.retryAfterSeconds },
  )

/**
 * The refusal of a sign-in. If the account is being deleted, it carries the challenge that can cancel the deletion; the
 * challenge is useless without the cookie.
 */
export const refusedSignIn = (
  answer: Leaving | { readonly code: Exclude<ErrorCode, 'ACCOUNT_LEAVING'>; readonly retryAfterSeconds?: number },
): ApiError => {
  if (answer.code !== 'ACCOUNT_LEAVING') return refused(answer)
  return new ApiError('ACCOUNT_LEAVING', {
    params: { challenge: answer.challenge.token, eraseAt: answer.eraseAt.toISOString() },
    cookies: [setCookie('challenge', answer.challenge.browser, siteSettings().isSecure)],
  })
}

/** Tells the control plane about each ended session, so that it closes the sockets. */
export const announceEnded = async (
  userId: string,
  sessionIds: readonly string[],
  requestId: string,
): Promise<void> => {
  await Promise.all(sessionIds.map((sessionId) => announceEnd({ userId, sessionId }, requestId)))
}

/** The relying party of passkeys. Throws when browsers cannot create passkeys for the site's address. */
export const sitePasskeys = (): PasskeySite => {
  const site = passkeySite(siteSettings().siteUrl)
  if (!site) throw new ApiError('PASSKEYS_UNAVAILABLE')
  return site
}
