import type * as z from 'zod'
import { ErrorBody } from '#contracts/http/errors.ts'
import { ApiFailure } from './failure.ts'

type Call<Shape extends z.ZodType> = {
  schema: Shape
  method?: 'GET' | 'POST'
  body?: unknown
  /** A mutation of money carries one: the same key and body bring the first answer. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type ApiClient = {
  call: <Shape extends z.ZodType>(path: string, call: Call<Shape>) => Promise<z.infer<Shape>>
  /** True when the session goes on. A network error throws: it is no reason to log anybody out. */
  refresh: () => Promise<boolean>
}

type Deps = {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  /** The session is over: the reader goes to the login page and comes back to where they were. */
  onSessionEnd: () => void
}

const offline = () => new ApiFailure({ code: 'OFFLINE', status: 0, message: 'offline' })

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

const failureOf = async (response: Response): Promise<ApiFailure> => {
  const parsed = ErrorBody.safeParse(await readJson(response))
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (!parsed.success) {
    return new ApiFailure({
      code: 'UNREADABLE',
      status: response.status,
      message: `HTTP ${response.status}`,
      requestId,
    })
  }
  const { error } = parsed.data
  return new ApiFailure({ ...error, status: response.status, requestId: error.requestId ?? requestId })
}

/** The browser's client of `/api`: own paths only, answers parsed by the contracts, one refresh on 401. */
export const createApiClient = (deps: Deps): ApiClient => {
  let refreshing: Promise<boolean> | null = null

  const send = async (path: string, init: RequestInit) => {
    if (!path.startsWith('/api/')) throw new Error('The client calls own paths only')
    try {
      return await deps.fetch(path, { ...init, credentials: 'same-origin' })
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      throw offline()
    }
  }

  // Calls that fail together share one refresh: a refresh token works once.
  const refresh = () => {
    refreshing ??= send('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
      .then((response) => {
        if (response.ok) return true
        if (response.status >= 500) throw offline()
        return false
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  const call: ApiClient['call'] = async (path, { schema, method = 'GET', body, idempotencyKey, signal }) => {
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
    let response = await send(path, init)
    if (response.status === 401) {
      if (await refresh()) response = await send(path, init)
      if (response.status === 401) deps.onSessionEnd()
    }
    if (!response.ok) throw await failureOf(response)
    const parsed = schema.safeParse(await readJson(response))
    if (parsed.success) return parsed.data
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new ApiFailure({ code: 'UNREADABLE', status: response.status, message: 'unreadable', requestId })
  }

  return { call, refresh }
}
