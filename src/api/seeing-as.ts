import type { MiddlewareHandler } from 'hono'
import { isSeenRoute } from '#contracts/internal-api/seen-calls.ts'
import { SEE_AS_HEADER } from '#contracts/panel/see-as.ts'
import { Id } from '#contracts/primitives.ts'
import { ApiError } from '../lib/site/api-error.ts'
import type { ApiEnv } from './api-call.ts'

/** The collaborator as whom a request looks at the panel; undefined for a request that does not. */
export const seenPersonOf = (headers: Headers | undefined): string | undefined =>
  headers?.get(SEE_AS_HEADER) ?? undefined

/**
 * Refuses a request that looks at the panel as a collaborator, unless its row only looks at one server. The control plane
 * decides what is seen there.
 */
export const seeingOnly =
  (name: string): MiddlewareHandler<ApiEnv> =>
  (c, next) => {
    const person = seenPersonOf(c.req.raw.headers)
    if (person === undefined) return next()
    if (!isSeenRoute(name)) throw new ApiError('SEEING_AS')
    if (!Id.safeParse(person).success) throw new ApiError('NOT_FOUND')
    return next()
  }
