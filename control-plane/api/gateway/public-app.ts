import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { EnrolmentRequest } from '#contracts/agent/enrolment.ts'
import type { EnrolmentAnswer } from '#contracts/agent/enrolment.ts'
import type { Clock } from '#platform/clock.ts'
import type { Logger } from '#platform/logger.ts'
import { addressKey } from '#platform/address-key.ts'
import { isOverloaded } from '#platform/overloaded.ts'
import { KeyedBuckets } from '#platform/token-bucket.ts'

export const ENROLMENT_LIMIT = { rate: 60, seconds: 300, burst: 60 }
const MAX_ENROLMENT_BYTES = 4_096
const MAX_BUCKETS = 10_000

export type PublicAppDeps = {
  readonly clock: Clock
  readonly log: Logger
  readonly enrol: (
    request: EnrolmentRequest,
  ) => Promise<{ ok: true; value: EnrolmentAnswer } | { ok: false; code: 'INVALID_TOKEN' | 'KEY_IN_USE' }>
  /** Payment pages and webhooks. */
  readonly payments: Hono
}

/** The client address, as the public listener determined it. */
export type PublicBindings = { readonly address: string }

/** The HTTP side of the public listener: enrolment of agents and payments; everything else is 404. */
export function publicApp(deps: PublicAppDeps): Hono<{ Bindings: PublicBindings }> {
  const app = new Hono<{ Bindings: PublicBindings }>()
  const enrolments = new KeyedBuckets(MAX_BUCKETS)
  app.use(async (request, next) => {
    await next()
    request.header('x-content-type-options', 'nosniff')
    // A payment page has its own referrer policy, without which its form would not send its origin.
    if (!request.res.headers.has('referrer-policy')) request.header('referrer-policy', 'no-referrer')
  })
  app.post('/api/agent/enrol', bodyLimit({ maxSize: MAX_ENROLMENT_BYTES }), async (request) => {
    const taken = enrolments.take(addressKey(request.env.address), ENROLMENT_LIMIT, deps.clock.now())
    if (!taken.ok) {
      return request.json({ error: { code: 'TOO_MANY_REQUESTS', message: 'Too many attempts.' } }, 429, {
        'retry-after': '60',
      })
    }
    const parsed = EnrolmentRequest.safeParse(await request.req.json().catch(() => undefined))
    if (!parsed.success) return request.json({ error: { code: 'VALIDATION', message: 'Not an enrolment.' } }, 400)
    const answer = await deps.enrol(parsed.data)
    if (answer.ok) return request.json(answer.value)
    if (answer.code === 'KEY_IN_USE') {
      const message = 'Another computer enrolled with the key of this agent.'
      return request.json({ error: { code: 'CONFLICT', message } }, 409)
    }
    const message = 'This enrolment token was used before, has ended, or never existed.'
    return request.json({ error: { code: 'UNAUTHENTICATED', message } }, 401)
  })
  app.route('/', deps.payments)
  app.notFound((request) => request.json({ error: { code: 'NOT_FOUND', message: 'Nothing is here.' } }, 404))
  app.onError((error, request) => {
    if (error instanceof HTTPException) return error.getResponse()
    if (isOverloaded(error)) {
      const headers = { 'retry-after': String(error.retryAfterSeconds) }
      return request.json({ error: { code: 'UNAVAILABLE', message: 'Too busy. Try again in a moment.' } }, 503, headers)
    }
    deps.log.error({ path: request.req.path, reason: error.message }, 'a public request failed')
    return request.json({ error: { code: 'INTERNAL', message: 'It did not work.' } }, 500)
  })
  return app
}
