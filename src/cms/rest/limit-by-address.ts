import { identity } from '../../identity/dependencies.ts'
import type { LimitStore } from '../../identity/context/limit-store.ts'
import { bucketKey } from '../../identity/context/limits.ts'
import { requestContext } from '../../lib/requests/request-context.ts'

type Handler<Context> = (request: Request, context: Context) => Promise<Response>

// One picture costs little, a page has many, and the picture resizer reads them through this route.
const isPicture = (request: Request) => new URL(request.url).pathname.startsWith('/api/cms/media/file/')

/** Adds the limit of public reads to a route outside the API's table: each of its queries costs the database. */
export const limitByAddress =
  <Context>(handler: Handler<Context>, limits: () => LimitStore = () => identity().limits): Handler<Context> =>
  async (request, context) => {
    if (isPicture(request)) return handler(request, context)
    const key = bucketKey('publicRead', { address: requestContext(request.headers).address })
    const answer = await limits().take('publicRead', key)
    if (answer.ok) return handler(request, context)
    const headers = { 'retry-after': String(answer.retryAfterSeconds) }
    return Response.json({ errors: [{ message: 'Too many requests.' }] }, { status: 429, headers })
  }
