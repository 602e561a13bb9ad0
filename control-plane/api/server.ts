import { Hono, type Context as Request } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { INTERNAL_CALLS, INTERNAL_HEADERS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import type { ApiDeps, CallMeta, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { isRightSecret } from '#platform/right-secret.ts'
import { errorAnswer } from './error-response.ts'
import { internalCalls } from './internal-calls.ts'
import { refuseWhileSeeing } from './seeing-as.ts'

const MAX_BODY_BYTES = 64 * 1024
/** A message whose every character JSON writes with six, and the beginning of the call; a file in base64. */
const MESSAGE_BYTES = 6 * TICKET_BOUNDS.message + 16 * 1024
const LARGER: Partial<Record<InternalCallName, number>> = {
  'open-ticket': MESSAGE_BYTES,
  'answer-ticket': MESSAGE_BYTES,
  'note-ticket': MESSAGE_BYTES,
  'upload-ticket-attachment': 4 * Math.ceil(ATTACHMENT_BOUNDS.bytes / 3) + 16 * 1024,
}
const maxBytesOf = (name: string): number => (isCallName(name) ? LARGER[name] : undefined) ?? MAX_BODY_BYTES
const REQUEST_ID = /^[\w.:-]{1,128}$/

/**
 * The internal API: `POST /internal/{name}` for the calls of the contract's table and nothing else. It listens on a
 * private address; the site authenticates with the shared secret (SPEC.md I1).
 */
export function internalApi(deps: ApiDeps): Hono {
  const calls = internalCalls(deps)
  const app = new Hono()
  app.use('/internal/*', async (request, next) => {
    if (isRightSecret(request.req.header(INTERNAL_HEADERS.secret), deps.secret)) return next()
    return answerError(request, deps, new ApiRefusal('UNAUTHENTICATED'))
  })
  app.use('/internal/:name', (request, next) =>
    bodyLimit({ maxSize: maxBytesOf(request.req.param('name')) })(request, next),
  )
  app.post('/internal/:name', async (request) => {
    const name = request.req.param('name')
    if (!isCallName(name)) throw new ApiRefusal('NOT_FOUND')
    const input = INTERNAL_CALLS[name].input.parse(await readJson(request))
    await refuseWhileSeeing(deps.context, { name, input })
    const answer = await run(calls, { name, input, meta: metaOf(request, deps) })
    request.header('cache-control', 'no-store')
    return request.json(answer)
  })
  app.notFound((request) => answerError(request, deps, new ApiRefusal('NOT_FOUND')))
  app.onError((error, request) => answerError(request, deps, error))
  return app
}

const isCallName = (name: string): name is InternalCallName => Object.hasOwn(INTERNAL_CALLS, name)

/** The table pairs each name with its input; the compiler cannot follow that through a variable name. */
function run(calls: InternalCalls, call: { name: InternalCallName; input: unknown; meta: CallMeta }): Promise<object> {
  const handle = calls[call.name] as (input: unknown, meta: CallMeta) => Promise<object>
  return handle(call.input, call.meta)
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.req.json()
  } catch {
    throw new ApiRefusal('BAD_REQUEST')
  }
}

/** A request id that can be logged as it is; a missing or malformed one is replaced. */
function metaOf(request: Request, { context }: ApiDeps): CallMeta {
  const sent = request.req.header(INTERNAL_HEADERS.requestId) ?? ''
  return {
    requestId: REQUEST_ID.test(sent) ? sent : context.ids.next(),
    idempotencyKey: request.req.header(INTERNAL_HEADERS.idempotencyKey),
  }
}

function answerError(request: Request, { context }: ApiDeps, error: unknown): Response {
  const { status, body, unexpected } = errorAnswer(error)
  const requestId = request.req.header(INTERNAL_HEADERS.requestId)
  const line = { requestId, path: request.req.path, code: body.error.code }
  if (unexpected) context.log.error({ ...line, reason: String(error), stack: stackOf(error) }, 'call failed')
  else context.log.info(line, 'call refused')
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}

const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined)
