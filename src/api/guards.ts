import type { MiddlewareHandler } from 'hono'
import type { RouteClass } from '#contracts/http/limits.ts'
import type { ApiRoute } from '#contracts/routes/routes.ts'
import { authenticate, namedByToken } from '../identity/sessions/authenticate.ts'
import { identity } from '../identity/dependencies.ts'
import { bucketKey } from '../identity/context/limits.ts'
import { readGrants } from '../identity/people/people.ts'
import { ApiError } from '../lib/site/api-error.ts'
import { siteSettings } from '../lib/site/env.ts'
import { refuseForeign } from '../lib/site/request-body.ts'
import type { ApiEnv } from './api-call.ts'

type Guard = MiddlewareHandler<ApiEnv>

const ownPagesOnly: Guard = (c, next) => {
  refuseForeign(c.req.raw.headers, siteSettings().siteUrl)
  return next()
}

const signedInBy =
  (ask: typeof namedByToken): Guard =>
  async (c, next) => {
    const result = await ask(identity(), c.req.raw.headers, siteSettings().isSecure)
    if (!result.ok) throw new ApiError(result.code)
    c.set('subject', result.subject)
    await next()
  }

// The session in the token may have ended: the handlers of these rows check it in their own statement.
const named = signedInBy(namedByToken)
const signedIn = signedInBy((_context, headers, isSecure) => authenticate(identity(), headers, isSecure))

/** The current roles count, not those in the token. */
const administratorsOnly: Guard = async (c, next) => {
  const userId = c.get('subject')?.userId
  const { isAdmin } = userId === undefined ? { isAdmin: false } : await readGrants(identity().db, userId)
  if (!isAdmin) throw new ApiError('FORBIDDEN')
  await next()
}

const within =
  (limit: RouteClass): Guard =>
  async (c, next) => {
    const key = bucketKey(limit, { address: c.env.address, account: c.get('subject')?.userId })
    const answer = await identity().limits.take(limit, key)
    if (!answer.ok) throw new ApiError('TOO_MANY_REQUESTS', { retryAfterSeconds: answer.retryAfterSeconds })
    await next()
  }

// These two use cases check their limits themselves, because they know which account is meant.
const LIMITED_BY_USE_CASE: readonly RouteClass[] = ['login', 'register']

/**
 * The guards of a row in the order in which they run: requests from foreign pages are refused before they cost
 * anything, and limits count identified callers.
 */
export const guardsOf = (method: string, row: ApiRoute): Guard[] => [
  ...(method === 'GET' ? [] : [ownPagesOnly]),
  ...(row.auth === 'none' ? [] : [row.session === 'by the read' ? named : signedIn]),
  ...(row.auth === 'administrator' ? [administratorsOnly] : []),
  ...(LIMITED_BY_USE_CASE.includes(row.limit) ? [] : [within(row.limit)]),
]
