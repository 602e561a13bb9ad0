import { cookieName, readCookie, setCookie } from '../identity/cookies.ts'
import type { Subject } from '../identity/access-tokens.ts'
import type { Person } from '../identity/prove-person.ts'
import type { Leaving } from '../identity/sign-in.ts'
import { passkeySite } from '../identity/passkey-site.ts'
import type { PasskeySite } from '../identity/passkey-site.ts'
import { ApiError } from '../lib/site/api-error.ts'
import type { ErrorCode } from '#contracts/http/errors.ts'
import { siteSettings } from '../lib/site/env.ts'
import { announceEnd } from './session.ts'

/** The secrets of the browser's own cookies: the device it is known as, and the sign-in it has begun. */
export const browserSecrets = (headers: Headers): { device: string | null; browser: string | null } => {
  const cookie = headers.get('cookie')
  const { isSecure } = siteSettings()
  return {
    device: readCookie(cookie, cookieName('device', isSecure)),
    browser: readCookie(cookie, cookieName('challenge', isSecure)),
  }
}

/** Who sends a call, as the use cases that ask for another proof need it. */
export const personOf = ({ subject, headers }: { subject: Subject; headers: Headers }): Person => ({
  ...subject,
  device: browserSecrets(headers).device,
})

/** The refusal of a use case on its way to the caller. */
export const refused = (answer: { readonly code: ErrorCode; readonly retryAfterSeconds?: number }): ApiError =>
  new ApiError(
    answer.code,
    answer.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: answer.retryAfterSeconds },
  )

/**
 * The refusal of a sign-in. Whose account is being deleted gets the challenge with which it can be taken back; it is worth
 * nothing without the cookie.
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

/** Tells the control plane of each session that ended, so that its sockets close. */
export const announceEnded = async (
  userId: string,
  sessionIds: readonly string[],
  requestId: string,
): Promise<void> => {
  await Promise.all(sessionIds.map((sessionId) => announceEnd({ userId, sessionId }, requestId)))
}

/** The site as passkeys know it. Throws when browsers make none for its address. */
export const sitePasskeys = (): PasskeySite => {
  const site = passkeySite(siteSettings().siteUrl)
  if (!site) throw new ApiError('PASSKEYS_UNAVAILABLE')
  return site
}
