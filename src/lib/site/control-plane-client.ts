import type * as z from 'zod'
import type { Locale } from '#contracts/locale.ts'
import { INTERNAL_CALLS, INTERNAL_HEADERS, InternalError } from '#contracts/internal-api/calls.ts'
import type { InternalCallName, InternalInput, InternalOutput } from '#contracts/internal-api/calls.ts'
import { ApiError } from './api-error.ts'

/** Time-outs in milliseconds: calls that move money or a server may wait for a lock. */
const TIMEOUT_MS: Partial<Record<InternalCallName, number>> = {
  order: 20_000,
  topup: 20_000,
  renew: 20_000,
  'modify-server': 20_000,
  'change-package': 20_000,
  'convert-server': 20_000,
  'begin-withdrawal': 20_000,
  'confirm-withdrawal': 20_000,
  'buy-premium': 20_000,
  spin: 20_000,
  'buy-spins': 20_000,
  'spin-coupon': 20_000,
  power: 10_000,
  // The control plane waits for a node that may be on the other side of the world.
  'ticket-context': 10_000,
  'invoice-file': 20_000,
  'invoices-csv': 20_000,
  'export-person': 20_000,
  'erase-person': 60_000,
  'refund-payment': 20_000,
  'refund-server': 20_000,
  'manual-credit': 20_000,
  'decide-proposal': 20_000,
  'assign-unmatched': 20_000,
  'close-dispute': 20_000,
  'write-off-debt': 20_000,
  'grant-test-server': 20_000,
  'grant-ticket-test-server': 20_000,
  'staff-invoice-file': 20_000,
  // A virus scanner may take its 30 s.
  'upload-ticket-attachment': 45_000,
  'ticket-attachment': 20_000,
}
const DEFAULT_TIMEOUT_MS = 5_000

const parsedBy = new WeakMap<object, z.ZodType>()

/** Whether this very response was parsed by this schema already, so that parsing it again is pointless. */
export const isParsedBy = (schema: z.ZodType, answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && parsedBy.get(answer) === schema

export type CallOptions = {
  readonly requestId: string
  readonly locale?: Locale
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
}

export type ControlPlane = {
  /** Sends a call of the table; throws ApiError with the control plane's code, or CONTROL_PLANE_UNAVAILABLE. */
  call<Name extends InternalCallName>(
    name: Name,
    input: InternalInput<Name>,
    options: CallOptions,
  ): Promise<InternalOutput<Name>>
}

const errorFrom = async (response: Response): Promise<ApiError> => {
  const body = InternalError.safeParse(await response.json().catch(() => null))
  // A body outside the contract, or a refusal of our own secret, means that the connection is misconfigured.
  if (!body.success || response.status === 401) return new ApiError('CONTROL_PLANE_UNAVAILABLE')
  const { code, params, fields } = body.data.error
  const waitSeconds = params?.['retryAfterSeconds']
  return new ApiError(code, {
    ...(params ? { params } : {}),
    ...(fields ? { fields } : {}),
    ...(typeof waitSeconds === 'number' ? { retryAfterSeconds: waitSeconds } : {}),
  })
}

type Connection = { readonly url: string; readonly secret: string }

const headersOf = ({ secret }: Connection, options: CallOptions): Record<string, string> => ({
  'content-type': 'application/json',
  [INTERNAL_HEADERS.secret]: secret,
  [INTERNAL_HEADERS.requestId]: options.requestId,
  ...(options.locale ? { 'accept-language': options.locale } : {}),
  ...(options.idempotencyKey ? { [INTERNAL_HEADERS.idempotencyKey]: options.idempotencyKey } : {}),
})

/**
 * Opens the client of the control plane's private listener at `url`. A response outside the contract is a bug of ours.
 */
export const controlPlaneAt = (connection: Connection, request: typeof fetch = fetch): ControlPlane => ({
  call: async <Name extends InternalCallName>(name: Name, input: InternalInput<Name>, options: CallOptions) => {
    const unavailable = () => new ApiError('CONTROL_PLANE_UNAVAILABLE')
    const response = await request(`${connection.url}/internal/${name}`, {
      method: 'POST',
      cache: 'no-store',
      redirect: 'error',
      headers: headersOf(connection, options),
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS[name] ?? DEFAULT_TIMEOUT_MS),
    }).catch(() => {
      throw unavailable()
    })
    if (!response.ok) throw await errorFrom(response)
    const answer: unknown = await response.json().catch(() => {
      throw unavailable()
    })
    const { output } = INTERNAL_CALLS[name]
    const parsed = output.parse(answer)
    if (typeof parsed === 'object') parsedBy.set(parsed, output)
    return parsed as InternalOutput<Name>
  },
})
