import type * as z from 'zod'
import { ErrorBody } from '#contracts/http/errors.ts'
import { ApiFailure } from './failure.ts'

type Call<Shape extends z.ZodType> = {
  schema: Shape
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  /** A file as the whole body, in place of `body`. */
  file?: Blob
  /** A mutation of money carries one: the same key and body bring the first answer. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type ApiClient = {
  call: <Shape extends z.ZodType>(path: string, call: Call<Shape>) => Promise<z.infer<Shape>>
  /** Takes a file of the answer. Posts where there is a body to send. */
  download: (path: string, body?: unknown) => Promise<Blob>
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

  // An access token that has ended is renewed once.
  const answered = async (path: string, init: RequestInit): Promise<Response> => {
    let response = await send(path, init)
    if (response.status === 401) {
      if (await refresh()) response = await send(path, init)
      if (response.status === 401) deps.onSessionEnd()
    }
    if (!response.ok) throw await failureOf(response)
    return response
  }

  const call: ApiClient['call'] = async (path, { schema, method = 'GET', body, file, idempotencyKey, signal }) => {
    const response = await answered(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
      ...(signal === undefined ? {} : { signal }),
    })
    const parsed = schema.safeParse(await readJson(response))
    if (parsed.success) return parsed.data
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new ApiFailure({ code: 'UNREADABLE', status: response.status, message: 'unreadable', requestId })
  }

  const download: ApiClient['download'] = async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await answered(path, init)
    // A file that broke off is none.
    return response.blob().catch(() => {
      throw offline()
    })
  }

  return { call, download, refresh }
}
