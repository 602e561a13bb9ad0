import { API_ROUTES, IdempotencyKey } from '#contracts/http/routes.ts'
import type { ApiInput, ApiIsSignedIn, ApiOutput, ApiPath, ApiQuery, ApiRouteName } from '#contracts/http/routes.ts'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import type { ErrorBody } from '#contracts/http/errors.ts'
import type * as z from 'zod'
import { authenticate } from '../identity/authenticate.ts'
import type { Subject } from '../identity/access-tokens.ts'
import { identity } from '../identity/dependencies.ts'
import { bucketKey } from '../identity/limits.ts'
import { readGrants } from '../identity/people.ts'
import { isHasherBusy } from '../identity/password-hasher.ts'
import { ApiError } from './api-error.ts'
import { siteSettings } from './site/env.ts'
import { errorMessage, fieldMessage } from './error-message.ts'
import { logLine } from './site/log-line.ts'
import { parsePart, readFile, readJson, refuseForeign } from './request-guards.ts'
import { requestContext } from './request-context.ts'
import type { RequestContext } from './request-context.ts'

/** What a handler gets: everything is checked and parsed. */
export type Call<Name extends ApiRouteName> = RequestContext & {
  readonly headers: Headers
  readonly input: ApiInput<Name>
  readonly query: ApiQuery<Name>
  readonly path: ApiPath<Name>
  readonly subject: ApiIsSignedIn<Name> extends true ? Subject : null
  readonly idempotencyKey: string | undefined
}

type Extras = {
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A file of JSON that is written while it is sent; the table's schema does not see it. */
export type Download = { readonly fileName: string; readonly chunks: AsyncGenerator<string> }

export type Answer<Name extends ApiRouteName> = Extras &
  ({ readonly body: ApiOutput<Name> } | { readonly download: Download })

/**
 * Sends a file piece by piece, as fast as the reader takes it. The first piece is made before the answer begins: what fails
 * there is refused as anything else is. A failure later breaks the answer off, so that no half of a file looks whole.
 */
const downloadResponse = async ({ fileName, chunks }: Download, headers: Headers): Promise<Response> => {
  const first = await chunks.next()
  const encoder = new TextEncoder()
  let waiting = first.done ? undefined : first.value
  headers.set('content-disposition', `attachment; filename="${fileName}"`)
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const text = waiting ?? (await chunks.next()).value
      waiting = undefined
      if (text === undefined) controller.close()
      else controller.enqueue(encoder.encode(text))
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
  return new Response(body, { headers })
}

type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> }
type Row = {
  auth: 'none' | 'user' | 'administrator'
  limit: keyof typeof import('#contracts/http/limits.ts').ROUTE_LIMITS
  path?: z.ZodType
  query?: z.ZodType
  input?: z.ZodType
  takes?: 'file'
  maxBytes?: number
  output: z.ZodType
  gives?: string
  status?: number
  idempotency?: 'required' | 'optional'
}

const baseHeaders = (context: RequestContext) =>
  new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'content-language': context.locale,
    vary: 'Cookie, Authorization, Accept-Language',
    'x-request-id': context.requestId,
  })

const errorResponse = (error: ApiError, context: RequestContext): Response => {
  const { code, facts } = error
  const { retryAfterSeconds } = facts
  const headers = baseHeaders(context)
  for (const cookie of facts.cookies ?? []) headers.append('set-cookie', cookie)
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  const params = { ...facts.params, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) }
  const fields = Object.entries(facts.fields ?? {}).map(([name, fault]) => [name, fieldMessage(fault, context.locale)])
  const body: ErrorBody = {
    error: {
      code,
      message: errorMessage(code, context.locale, params),
      ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
      ...(facts.params ? { params: { ...facts.params } } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      requestId: context.requestId,
    },
  }
  return new Response(JSON.stringify(body), { status: ERROR_STATUS[code], headers })
}

const signIn = async (row: Row, request: Request): Promise<Subject | null> => {
  if (row.auth === 'none') return null
  const result = await authenticate(identity(), request.headers, siteSettings().isSecure)
  if (!result.ok) throw new ApiError(result.code)
  if (row.auth === 'administrator') await guardAdministrators(result.subject)
  return result.subject
}

/** The roles are those of now, not those of the token. */
const guardAdministrators = async ({ userId }: Subject): Promise<void> => {
  const { isAdmin } = await readGrants(identity().db, userId)
  if (!isAdmin) throw new ApiError('FORBIDDEN')
}

// The use cases of these two ask their limits themselves: they know the account that is meant.
const LIMITED_BY_USE_CASE: readonly string[] = ['login', 'register']

const limit = async (row: Row, context: RequestContext, subject: Subject | null): Promise<void> => {
  if (LIMITED_BY_USE_CASE.includes(row.limit)) return
  const key = bucketKey(row.limit, { address: context.address, account: subject?.userId })
  const answer = await identity().limits.take(row.limit, key)
  if (!answer.ok) throw new ApiError('TOO_MANY_REQUESTS', { retryAfterSeconds: answer.retryAfterSeconds })
}

const idempotencyKey = (row: Row, headers: Headers): string | undefined => {
  const value = headers.get('idempotency-key')
  if (row.idempotency === undefined || (value === null && row.idempotency === 'optional')) return undefined
  if (value === null) throw new ApiError('IDEMPOTENCY_KEY_MISSING')
  const parsed = IdempotencyKey.safeParse(value)
  if (!parsed.success) throw new ApiError('BAD_REQUEST')
  return parsed.data
}

const readPath = async (schema: z.ZodType, context: RouteContext): Promise<unknown> => {
  const parsed = schema.safeParse(await context.params)
  // An id that cannot exist is not found, as one that does not exist.
  if (!parsed.success) throw new ApiError('NOT_FOUND')
  return parsed.data
}

const known = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (isHasherBusy(error)) return new ApiError('TOO_MANY_REQUESTS', { retryAfterSeconds: 5 })
  return new ApiError('INTERNAL')
}

const report = (name: string, context: RequestContext, error: unknown): void => {
  // A refusal is an answer; a line is written for what nobody expected.
  const cause = error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : {}
  logLine('error', { requestId: context.requestId, route: name, err: cause }, 'route failed')
}

const readBody = (row: Row, request: Request): Promise<unknown> =>
  row.takes === 'file' ? readFile(request, row.maxBytes) : readJson(request, row.maxBytes)

const prepare = async (row: Row, request: Request, route: { params: RouteContext; context: RequestContext }) => {
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (changes) refuseForeign(request.headers, siteSettings().siteUrl)
  const subject = await signIn(row, request)
  await limit(row, route.context, subject)
  return {
    subject,
    path: row.path ? await readPath(row.path, route.params) : undefined,
    query: row.query ? parsePart(row.query, Object.fromEntries(new URL(request.url).searchParams)) : undefined,
    input: row.input ? parsePart(row.input, await readBody(row, request)) : undefined,
    idempotencyKey: idempotencyKey(row, request.headers),
  }
}

const bodyOf = (row: Row, body: unknown): BodyInit => {
  const checked = row.output.parse(body)
  return row.gives === undefined ? JSON.stringify(checked) : (checked as BodyInit)
}

/**
 * Makes a route of the API table: guards, one call, and an answer that the table's schema has checked. Every refusal leaves as
 * `{error: {code, message, fields?}}` in the caller's language; nothing is cached.
 */
export const apiHandler =
  <Name extends ApiRouteName>(name: Name, handle: (call: Call<Name>) => Promise<Answer<Name>>) =>
  async (request: Request, params: RouteContext): Promise<Response> => {
    const context = requestContext(request.headers)
    const row: Row = API_ROUTES[name]
    try {
      const checked = await prepare(row, request, { params, context })
      const call = { ...context, ...checked, headers: request.headers } as Call<Name>
      const answer = await handle(call)
      const headers = baseHeaders(context)
      if (row.gives !== undefined) headers.set('content-type', row.gives)
      for (const [header, value] of Object.entries(answer.headers ?? {})) headers.set(header, value)
      for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie)
      if ('download' in answer) return await downloadResponse(answer.download, headers)
      return new Response(bodyOf(row, answer.body), { status: row.status ?? 200, headers })
    } catch (error) {
      const refusal = known(error)
      if (refusal.code === 'INTERNAL') report(name, context, error)
      return errorResponse(refusal, context)
    }
  }
