import type { Handler } from 'hono'
import type { ApiRoute } from '#contracts/routes/routes.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import { isParsedBy } from '../lib/site/control-plane-client.ts'
import type { RequestContext } from '../lib/requests/request-context.ts'
import { baseHeaders, send, sendDownload } from './answer.ts'
import type { ApiEnv, Download } from './api-call.ts'
import { contextOf } from './context-of.ts'
import { readInput } from './input.ts'

/** A call of any row: the table selects the row at run time, and the compiler ties each handler to its own row. */
export type AnyCall = RequestContext & {
  readonly headers: Headers
  readonly subject: Subject | null
  readonly input: unknown
  readonly query: unknown
  readonly path: unknown
  readonly idempotencyKey: string | undefined
}
type AnyAnswer = {
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
} & ({ readonly body: unknown } | { readonly download: Download })
export type AnyHandler = (call: AnyCall) => Promise<AnyAnswer>

const textOf = (row: ApiRoute, body: unknown) => {
  const checked = isParsedBy(row.output, body) ? body : row.output.parse(body)
  return row.gives === undefined ? JSON.stringify(checked) : (checked as string | Uint8Array)
}

/**
 * Serves a row of the table behind its guards: reads the input, calls the handler, and sends the result after the row's
 * schema has checked it.
 */
export const serveRow =
  (row: ApiRoute, handle: AnyHandler): Handler<ApiEnv> =>
  async (c) => {
    // Written out: V8 would put the properties of `{ ...a, b }` into its old space (decision 36).
    const { requestId, address, userAgent, locale } = contextOf(c)
    const { input, query, path, idempotencyKey } = await readInput(row, c)
    const subject = c.get('subject') ?? null
    const answer = await handle({
      requestId,
      address,
      userAgent,
      locale,
      input,
      query,
      path,
      idempotencyKey,
      subject,
      headers: c.req.raw.headers,
    })
    const headers = baseHeaders(c)
    if (row.gives !== undefined) headers['content-type'] = row.gives
    Object.assign(headers, answer.headers)
    if (answer.cookies !== undefined) headers['set-cookie'] = [...answer.cookies]
    if ('download' in answer) return sendDownload(c, answer.download, headers)
    return send(c, { status: row.status ?? 200, headers, body: textOf(row, answer.body) })
  }
