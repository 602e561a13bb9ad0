import { ApiFailure } from './failure.ts'
import { readFailure, readJson } from './read-failure.ts'

/** The checker of a response: a schema of the contracts, of zod or zod mini. */
export type AnswerSchema<Answer> = {
  safeParse: (value: unknown) => { success: true; data: Answer } | { success: false }
}

type Call<Answer> = {
  schema: AnswerSchema<Answer>
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  /** A file as the whole body, in place of `body`. */
  file?: Blob
  /** Is told how many bytes of `file` are on their way. */
  onSent?: (bytes: number) => void
  /** Required for mutations of money: the same key and body return the first response. */
  idempotencyKey?: string
  /** The language of the response, if the page's differs from the account's. */
  language?: string
  /** False for the sign-in itself: there a 401 is a regular response and no session has ended. */
  hasSession?: boolean
  signal?: AbortSignal
  /** The request survives the page. Only for small bodies. */
  keepalive?: boolean
}

export type ApiClient = {
  call: <Answer>(path: string, call: Call<Answer>) => Promise<Answer>
  /** Downloads a file. Sends a POST if there is a body. */
  download: (path: string, body?: unknown) => Promise<Blob>
  /** True when the session continues. A network error throws: it is no reason to sign anybody out. */
  refresh: () => Promise<boolean>
}

type Deps = {
  fetch: (path: string, init: RequestInit, onSent?: (bytes: number) => void) => Promise<Response>
  /** The session has ended: the reader goes to the login page and returns afterwards. */
  onSessionEnd: () => void
}

const offline = () => new ApiFailure({ code: 'OFFLINE', status: 0, message: 'offline' })

const JSON_TYPE = { 'content-type': 'application/json' }

/** The language of the page, in which it shows the answer. */
const pageLanguage = (): string | undefined =>
  typeof document === 'undefined' ? undefined : document.documentElement.lang || undefined

const initOf = ({
  method = 'GET',
  body,
  file,
  idempotencyKey,
  language = pageLanguage(),
  signal,
  keepalive,
}: Omit<Call<unknown>, 'schema'>): RequestInit => ({
  method,
  headers: {
    accept: 'application/json',
    ...(body === undefined ? {} : JSON_TYPE),
    ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(language === undefined ? {} : { 'accept-language': language }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(file === undefined ? {} : { body: file }),
  ...(signal === undefined ? {} : { signal }),
  ...(keepalive === undefined ? {} : { keepalive }),
})

/** The browser's client of `/api`: own paths only, responses parsed by the contracts, one refresh on 401. */
export const createApiClient = (deps: Deps): ApiClient => {
  let refreshing: Promise<boolean> | null = null

  const send = async (path: string, init: RequestInit, onSent?: Call<unknown>['onSent']) => {
    if (!path.startsWith('/api/')) throw new Error('The client calls own paths only')
    try {
      return await deps.fetch(path, { ...init, credentials: 'same-origin' }, onSent)
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      throw offline()
    }
  }

  // Calls that fail together share one refresh: a refresh token works once.
  const refresh = () => {
    refreshing ??= send('/api/auth/refresh', {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{}',
    })
      .then((response) => {
        if (response.ok) return true
        // Neither response says anything about the session.
        if (response.status >= 500 || response.status === 429) throw offline()
        return false
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  // An expired access token is refreshed once.
  const answered = async (
    path: string,
    init: RequestInit,
    { hasSession = true, onSent }: Pick<Call<unknown>, 'hasSession' | 'onSent'> = {},
  ): Promise<Response> => {
    let response = await send(path, init, onSent)
    if (response.status === 401 && hasSession) {
      if (await refresh()) response = await send(path, init, onSent)
      if (response.status === 401) deps.onSessionEnd()
    }
    if (!response.ok) throw await readFailure(response)
    return response
  }

  const call: ApiClient['call'] = async (path, options) => {
    const response = await answered(path, initOf(options), options)
    const parsed = options.schema.safeParse(await readJson(response))
    if (parsed.success) return parsed.data
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new ApiFailure({ code: 'UNREADABLE', status: response.status, message: 'unreadable', requestId })
  }

  const download: ApiClient['download'] = async (path, body) => {
    const response = await answered(path, body === undefined ? {} : initOf({ method: 'POST', body }))
    // A file that broke off is discarded.
    return response.blob().catch(() => {
      throw offline()
    })
  }

  return { call, download, refresh }
}
