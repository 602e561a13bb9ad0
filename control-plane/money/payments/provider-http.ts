import { AppError } from '../../platform/app-error.ts'

export type ProviderRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The time-out of the whole response. */
  readonly timeoutMs?: number
}

/** A response with a JSON body, whatever its status. */
export type ProviderAnswer = { readonly status: number; readonly json: unknown }

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

const failure = (provider: string, what: string): AppError =>
  // Without the address and the cause, because both may contain secrets.
  new AppError('PROVIDER_FAILURE', `${provider} ${what}`, { retryable: true })

/**
 * Sends a request to a provider, without following redirects, within a time limit. Throws AppError PROVIDER_FAILURE
 * (retryable) when it is unreachable, fails (5xx) or does not return JSON.
 */
export async function askProvider(provider: string, request: ProviderRequest): Promise<ProviderAnswer> {
  const { url, method, headers, body, timeoutMs = TIMEOUT_MS } = request
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  }).catch(() => undefined)
  if (!response) throw failure(provider, 'cannot be reached')
  const text = await readBody(response).catch(() => undefined)
  if (text === undefined) throw failure(provider, 'did not finish its answer')
  if (response.status >= 500) throw failure(provider, `answered ${response.status}`)
  try {
    return { status: response.status, json: JSON.parse(text) as unknown }
  } catch {
    throw failure(provider, 'answered what is no JSON')
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new RangeError('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
