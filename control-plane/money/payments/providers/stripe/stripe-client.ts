import { Stripe } from 'stripe'
import { AppError } from '../../../../platform/app-error.ts'
import type { StripeSettings } from '../../stripe-settings.ts'

/** The time-out of one attempt; the library retries a failed one under the same key. */
const TIMEOUT_MS = 10_000
const REPEATS = 1

/** Stripe's own client for the configured address, without its telemetry. */
export function stripeClient({ secretKey, apiUrl }: StripeSettings, timeoutMs = TIMEOUT_MS): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl)
  return new Stripe(secretKey, {
    host: hostname,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : port,
    protocol: protocol === 'https:' ? 'https' : 'http',
    httpClient: Stripe.createNodeHttpClient(),
    timeout: timeoutMs,
    maxNetworkRetries: REPEATS,
    telemetry: false,
  })
}

/**
 * Starts a call without a stack trace. Stripe's package reads the stack of each call, and writing it out by the source maps costs more
 * than sending the request.
 */
export function withoutStack<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return call()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const LASTING = [
  'StripeAuthenticationError',
  'StripePermissionError',
  'StripeInvalidRequestError',
  'StripeIdempotencyError',
]

/** Converts an error of Stripe. Only its kind and code are kept, because its texts repeat the request. */
export function stripeFailure(error: unknown): AppError {
  if (error instanceof Stripe.errors.StripeError) {
    const retryable = !LASTING.includes(error.type)
    return new AppError('PROVIDER_FAILURE', `Stripe: ${error.type} ${error.code ?? ''}`.trim(), { retryable })
  }
  const kind = error instanceof Error ? error.name : 'unknown'
  return new AppError('PROVIDER_FAILURE', `Stripe: ${kind}`, { retryable: true })
}

/** Whether Stripe reports that the object does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** The reason of a permanent refusal by Stripe; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode !== 400) return undefined
  return error.code ?? 'refused'
}
