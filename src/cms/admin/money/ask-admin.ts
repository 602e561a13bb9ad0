import { ErrorBody } from '#contracts/http/errors.ts'
import type { ApiInput, ApiOutput, ApiRouteName } from '#contracts/http/routes.ts'

type AdminRoute = Extract<ApiRouteName, `${string} /api/admin/${string}` | 'GET /api/services'>

export type AskOptions<Name extends AdminRoute> = {
  readonly id?: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly input?: ApiInput<Name>
  /** One for each act that somebody means, so that a repeated click moves money once. */
  readonly key?: string
}

/** `code` and `fields` say why; `message` is in the reader's language. */
export type Refused = {
  readonly ok: false
  readonly code: string
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
}
export type Asked<Name extends AdminRoute> = { readonly ok: true; readonly body: ApiOutput<Name> } | Refused

const UNREACHABLE: Refused = { ok: false, code: 'CONTROL_PLANE_UNAVAILABLE', message: '', fields: {} }

const searchOf = (query: AskOptions<AdminRoute>['query'] = {}): string => {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? '' : `?${search}`
}

/** Asks the site's own API as the signed-in administrator. Nothing is thrown. */
export async function askAdmin<Name extends AdminRoute>(
  name: Name,
  { id = '', query, input, key }: AskOptions<Name> = {},
): Promise<Asked<Name>> {
  const [method = 'GET', path = ''] = name.split(' ')
  const request: RequestInit = { method, headers: { 'content-type': 'application/json' } }
  if (key !== undefined) Object.assign(request.headers as object, { 'idempotency-key': key })
  if (method !== 'GET') request.body = JSON.stringify(input ?? {})
  const answer = await fetch(`${path.replace('{id}', id)}${searchOf(query)}`, request).catch(() => undefined)
  const body: unknown = await answer?.json().catch(() => undefined)
  if (answer?.ok === true && body !== undefined) return { ok: true, body: body as ApiOutput<Name> }
  const refusal = ErrorBody.safeParse(body)
  if (!refusal.success) return UNREACHABLE
  const { code, message, fields = {} } = refusal.data.error
  return { ok: false, code, message, fields }
}
