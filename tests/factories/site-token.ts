import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { systemIds } from '#platform/ids.ts'

export type TokenOptions = {
  kind?: 'access' | 'ticket'
  userId?: string
  sessionId?: string
  seconds?: number
  change?: Record<string, unknown>
  /** Another key than the site's. */
  key?: KeyObject
  typ?: string
  aud?: string
}

/** Access tokens and gateway tickets as the site signs them, with the test's changes. */
export const siteTokens =
  (site: { key: KeyObject; kid: string }) =>
  ({
    kind = 'access',
    userId = systemIds.next(),
    sessionId = systemIds.next(),
    seconds = 900,
    change = {},
    key = site.key,
    ...more
  }: TokenOptions = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000)
    const isTicket = kind === 'ticket'
    return new SignJWT({ sid: sessionId, ...change })
      .setProtectedHeader({
        alg: 'EdDSA',
        typ: more.typ ?? (isTicket ? 'gateway-ticket+jwt' : 'at+jwt'),
        kid: site.kid,
      })
      .setIssuer('bakter')
      .setAudience(more.aud ?? (isTicket ? 'bakter-gateway' : 'bakter'))
      .setSubject(userId)
      .setJti(systemIds.next())
      .setIssuedAt(now + Math.min(0, seconds))
      .setExpirationTime(now + seconds)
      .sign(key)
  }
