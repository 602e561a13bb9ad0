import { setCookie } from '../identity/cookies.ts'
import type { SessionCookie } from '../identity/cookies.ts'
import { identity } from '../identity/dependencies.ts'
import { noteAnnounced } from '../identity/session-ends.ts'
import type { Tokens } from '../identity/sessions.ts'
import { ACCESS_TOKEN_SECONDS } from '#contracts/http/auth.ts'
import type { TokenAnswer } from '#contracts/http/auth.ts'
import { controlPlaneAt } from '../lib/site/control-plane-client.ts'
import type { ControlPlane } from '../lib/site/control-plane-client.ts'
import { siteSettings } from '../lib/site/env.ts'

let client: ControlPlane | undefined

/** The control plane of this installation. */
export const controlPlane = (): ControlPlane =>
  (client ??= controlPlaneAt({ url: siteSettings().controlPlaneUrl, secret: siteSettings().internalSecret }))

/** Set-Cookie headers with which a browser keeps its new tokens. */
export const sessionCookies = (tokens: Tokens, device?: string): string[] => {
  const { isSecure } = siteSettings()
  return [
    setCookie('access', tokens.accessToken, isSecure),
    setCookie('refresh', tokens.refreshToken, isSecure),
    ...(device === undefined ? [] : [setCookie('device', device, isSecure)]),
  ]
}

/** The cookies of a sign-in that had waited for its second factor, which is over. */
export const secondStepCookies = (tokens: Tokens, device: string): string[] => [
  ...sessionCookies(tokens, device),
  setCookie('challenge', null, siteSettings().isSecure),
]

/** Set-Cookie headers with which a browser forgets its tokens. Its device cookie stays. */
export const clearedCookies = (): string[] =>
  (['access', 'refresh'] as const satisfies SessionCookie[]).map((cookie) =>
    setCookie(cookie, null, siteSettings().isSecure),
  )

/** The body with which tokens are given out. */
export const tokenAnswer = (tokens: Tokens): TokenAnswer => ({
  access_token: tokens.accessToken,
  refresh_token: tokens.refreshToken,
  expires_in: ACCESS_TOKEN_SECONDS,
})

/** Tells the control plane that sessions ended, so that their sockets close. What it does not hear now it is told again (`session-ends`). */
export const announceEnd = async (
  ended: { userId: string; sessionId: string | null },
  requestId: string,
): Promise<void> => {
  await controlPlane()
    .call('session-ended', ended, { requestId, timeoutMs: 1_000 })
    .then(() => noteAnnounced(identity().db, { ...ended, nowMs: identity().clock.now() }))
    .catch(() => undefined)
}
