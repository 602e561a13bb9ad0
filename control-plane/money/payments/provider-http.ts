import { AppError } from '../../platform/app-error.ts'

export type ProviderRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** How long the whole answer may take. */
  readonly timeoutMs?: number
}

/** An answer with a body of JSON, whatever its status. */
export type ProviderAnswer = { readonly status: number; readonly json: unknown }

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

const failure = (provider: string, what: string): AppError =>
  // Neither the address nor the cause: both may hold what is secret.
  new AppError('PROVIDER_FAILURE', `${provider} ${what}`, { retryable: true })

/**
 * Asks a provider. No redirect is followed, and nothing is read for ever. Throws AppError PROVIDER_FAILURE (retryable) when it
 * cannot be reached, is broken (5xx) or does not answer JSON.
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
