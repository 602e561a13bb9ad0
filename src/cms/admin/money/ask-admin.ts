import { ErrorBody } from '#contracts/http/errors.ts'
import type { ApiInput, ApiOutput, ApiRouteName } from '#contracts/http/routes.ts'
import { createAttemptKeys } from '@/lib/browser-client/attempt-keys.ts'
import { newRequestId } from '@/lib/browser-client/request-id.ts'

type AdminRoute = Extract<ApiRouteName, `${string} /api/admin/${string}` | 'GET /api/services'>

export type AskOptions<Name extends AdminRoute> = {
  readonly id?: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly input?: ApiInput<Name>
  readonly key?: string
}

/**
 * `code` and `fields` say why; `message` is in the reader's language. `isUnknown` where nobody knows whether it was done: no answer
 * came, the fault is on our side, or the same act still runs.
 */
export type Refused = {
  readonly ok: false
  readonly code: string
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
  readonly isUnknown: boolean
}
export type Asked<Name extends AdminRoute> = { readonly ok: true; readonly body: ApiOutput<Name> } | Refused

const UNREACHABLE: Refused = { ok: false, code: 'CONTROL_PLANE_UNAVAILABLE', message: '', fields: {}, isUnknown: true }

const searchOf = (query: AskOptions<AdminRoute>['query'] = {}): string => {
  const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? '' : `?${search}`
}

const refusedBy = (status: number, body: unknown): Refused => {
  const refusal = ErrorBody.safeParse(body)
  if (!refusal.success) return UNREACHABLE
  const { code, message, fields = {} } = refusal.data.error
  return { ok: false, code, message, fields, isUnknown: status >= 500 || code === 'IN_PROGRESS' }
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
  return refusedBy(answer?.status ?? 0, body)
}

type ActRoute = Extract<AdminRoute, `POST ${string}`>

const attempts = createAttemptKeys(newRequestId)

/**
 * Does something once, however often it is asked for: the same input on the same route carries the same key until it is done. A
 * refusal keeps the key too. It stored nothing under it, and one that comes before the act, as of too many requests, says nothing of
 * an earlier try whose answer was lost.
 */
export async function actAsAdmin<Name extends ActRoute>(
  name: Name,
  { id = '', input }: Pick<AskOptions<Name>, 'id' | 'input'>,
): Promise<Asked<Name>> {
  const place = `${name} ${id}`
  const key = attempts.keyFor(place, input)
  const answer = await askAdmin(name, { id, ...(input === undefined ? {} : { input }), key })
  if (answer.ok || answer.code === 'IDEMPOTENCY_MISMATCH') attempts.settle(place)
  return answer
}

/** A file of the site's own API. Nothing is thrown. */
export async function downloadAsAdmin(path: `/api/admin/${string}`): Promise<Blob | Refused> {
  const answer = await fetch(path).catch(() => undefined)
  if (answer?.ok === true) return answer.blob().catch(() => UNREACHABLE)
  return refusedBy(answer?.status ?? 0, await answer?.json().catch(() => undefined))
}
