import { setCookie } from '../identity/sessions/cookies.ts'
import type { SessionCookie } from '../identity/sessions/cookies.ts'
import { identity } from '../identity/dependencies.ts'
import { noteAnnounced } from '../identity/sessions/session-ends.ts'
import type { Tokens } from '../identity/sessions/sessions.ts'
import { ACCESS_TOKEN_SECONDS } from '#contracts/http/auth.ts'
import type { TokenAnswer } from '#contracts/http/auth.ts'
import { controlPlaneAt } from '../lib/site/control-plane-client.ts'
import type { ControlPlane } from '../lib/site/control-plane-client.ts'
import { siteSettings } from '../lib/site/env.ts'

let client: ControlPlane | undefined

/** The client of this installation's control plane. */
export const controlPlane = (): ControlPlane =>
  (client ??= controlPlaneAt({ url: siteSettings().controlPlaneUrl, secret: siteSettings().internalSecret }))

/** Set-Cookie headers that store the new tokens in the browser. */
export const sessionCookies = (tokens: Tokens, device?: string): string[] => {
  const { isSecure } = siteSettings()
  return [
    setCookie('access', tokens.accessToken, isSecure),
    setCookie('refresh', tokens.refreshToken, isSecure),
    ...(device === undefined ? [] : [setCookie('device', device, isSecure)]),
  ]
}

/** The cookies of a completed two-step sign-in. */
export const secondStepCookies = (tokens: Tokens, device: string): string[] => [
  ...sessionCookies(tokens, device),
  setCookie('challenge', null, siteSettings().isSecure),
]

/** Set-Cookie headers that delete the tokens from the browser. Its device cookie stays. */
export const clearedCookies = (): string[] =>
  (['access', 'refresh'] as const satisfies SessionCookie[]).map((cookie) =>
    setCookie(cookie, null, siteSettings().isSecure),
  )

/** The response body with new tokens. */
export const tokenAnswer = (tokens: Tokens): TokenAnswer => ({
  access_token: tokens.accessToken,
  refresh_token: tokens.refreshToken,
  expires_in: ACCESS_TOKEN_SECONDS,
})

/**
 * Tells the control plane about ended sessions, so that it closes their sockets. Messages that it misses are sent again
 * (`session-ends`).
 */
export const announceEnd = async (
  ended: { userId: string; sessionId: string | null },
  requestId: string,
): Promise<void> => {
  await controlPlane()
    .call('session-ended', ended, { requestId, timeoutMs: 1_000 })
    .then(() => noteAnnounced(identity().db, { ...ended, nowMs: identity().clock.now() }))
    .catch(() => undefined)
}
