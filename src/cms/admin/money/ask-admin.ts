import * as z from 'zod'
import type { ApiInput, ApiOutput, ApiRouteName } from '#contracts/routes/routes.ts'
import { createAttemptKeys } from '@/lib/browser-client/attempt-keys.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { ApiFailure, isUnknown } from '@/lib/browser-client/failure.ts'
import { keptAttempts } from '@/lib/browser-client/kept-attempts.ts'
import { newRequestId } from '@/lib/browser-client/request-id.ts'

type AdminRoute = Extract<
  ApiRouteName,
  `${string} /api/admin/${string}` | `${string} /api/ticket/${string}` | 'GET /api/services'
>

export type AskOptions<Name extends AdminRoute> = {
  readonly id?: string
  /** The person whom the path names. */
  readonly userId?: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly input?: ApiInput<Name>
  readonly key?: string
}

/**
 * `code` and `fields` are the reason; `message` is in the reader's language. `isUnknown` when the outcome is unknown:
 * no response, a fault on our side, or the same action still running.
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

const refusedBy = (failure: unknown): Refused => {
  if (!(failure instanceof ApiFailure) || failure.code === 'OFFLINE' || failure.code === 'UNREADABLE')
    return UNREACHABLE
  const { code, message, fields } = failure
  return { ok: false, code, message, fields, isUnknown: isUnknown(failure) }
}

/** The site has checked the response against the same row of the contract. */
const answerOf = <Name extends AdminRoute>() => z.custom<ApiOutput<Name>>((value) => value !== undefined)

const callAsAdmin = <Name extends AdminRoute>(
  name: Name,
  { id = '', userId = '', query, input, key }: AskOptions<Name>,
): Promise<ApiOutput<Name>> => {
  const [method, path = ''] = name.split(' ')
  const body = input ?? (method === 'POST' ? {} : undefined)
  return api.call(`${path.replace('{id}', id).replace('{userId}', userId)}${searchOf(query)}`, {
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).parse(method),
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    schema: answerOf<Name>(),
  })
}

/** Calls the site's own API as the signed-in administrator. Never throws. */
export const askAdmin = <Name extends AdminRoute>(name: Name, options: AskOptions<Name> = {}): Promise<Asked<Name>> =>
  callAsAdmin(name, options).then((body) => ({ ok: true, body }), refusedBy)

type ActRoute = Exclude<AdminRoute, `GET ${string}`>

const attempts = createAttemptKeys(newRequestId)
const attemptsOfTab = createAttemptKeys(newRequestId, keptAttempts)
/** Their text is kept in the form: after a reload the same text is the same attempt. */
const OUTLIVE_RELOADS: readonly AdminRoute[] = ['POST /api/ticket/{id}/messages', 'POST /api/ticket/{id}/notes']

/**
 * Carries out an action once, however often the button is pressed: the same input on the same route has the same
 * attempt key.
 */
export const actAsAdmin = <Name extends ActRoute>(
  name: Name,
  { id = '', userId = '', input }: Pick<AskOptions<Name>, 'id' | 'userId' | 'input'>,
): Promise<Asked<Name>> =>
  (OUTLIVE_RELOADS.includes(name) ? attemptsOfTab : attempts)
    .send(`${name} ${id} ${userId}`, input ?? null, (key) =>
      callAsAdmin(name, { id, userId, ...(input === undefined ? {} : { input }), key }),
    )
    .then((body) => ({ ok: true, body }), refusedBy)

/** Downloads a file from the site's own API. Never throws. */
export const downloadAsAdmin = (path: `/api/admin/${string}`): Promise<Blob | Refused> =>
  api.download(path).catch(refusedBy)
