import { verifyAccessToken } from '../keys/access-tokens.ts'
import type { Subject } from '../keys/access-tokens.ts'
import type { IdentityContext } from '../context/context.ts'
import { cookieName, readCookie } from './cookies.ts'
import { isSessionAlive } from './sessions.ts'

/** How a request authenticates. A cookie is sent automatically, a bearer token on purpose. */
export type Presented = { readonly token: string; readonly by: 'bearer' | 'cookie' }

/**
 * The access token of a request: `Authorization: Bearer`, else the cookie. If a bearer header is present, only it
 * counts.
 */
export const presentedToken = (headers: Headers, isSecure: boolean): Presented | null => {
  const authorization = headers.get('authorization')
  if (authorization !== null) {
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1]
    return token === undefined ? null : { token, by: 'bearer' }
  }
  const token = readCookie(headers.get('cookie'), cookieName('access', isSecure))
  return token === null ? null : { token, by: 'cookie' }
}

export type Authentication =
  | { readonly ok: true; readonly subject: Subject; readonly by: 'bearer' | 'cookie' }
  | { readonly ok: false; readonly code: 'UNAUTHENTICATED' | 'TOKEN_EXPIRED' }

/** The subject of a request's token, without a query. The caller checks the session in its own statement. */
export const namedByToken = async (
  context: Pick<IdentityContext, 'clock' | 'keys'>,
  headers: Headers,
  isSecure: boolean,
): Promise<Authentication> => {
  const presented = presentedToken(headers, isSecure)
  if (!presented) return { ok: false, code: 'UNAUTHENTICATED' }
  const subject = await verifyAccessToken(presented.token, { nowMs: context.clock.now(), keys: context.keys })
  if (subject === 'expired') return { ok: false, code: 'TOKEN_EXPIRED' }
  if (subject === 'invalid') return { ok: false, code: 'UNAUTHENTICATED' }
  return { ok: true, subject, by: presented.by }
}

/** Identifies the sender of a request. An ended session is refused at once, whatever its access token says. */
export const authenticate = async (
  context: IdentityContext,
  headers: Headers,
  isSecure: boolean,
): Promise<Authentication> => {
  const named = await namedByToken(context, headers, isSecure)
  if (!named.ok || (await isSessionAlive(context, named.subject))) return named
  return { ok: false, code: 'UNAUTHENTICATED' }
}
