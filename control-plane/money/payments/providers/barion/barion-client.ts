import * as z from 'zod'
import { AppError } from '../../../../platform/app-error.ts'
import { askProvider } from '../../provider-http.ts'
import type { BarionSettings } from '../../barion-settings.ts'

/** Payment states of Barion; only `Succeeded` is paid. */
export const BARION_STATUSES = [
  'Prepared',
  'Started',
  'InProgress',
  'Waiting',
  'Reserved',
  'Authorized',
  'Canceled',
  'Succeeded',
  'Failed',
  'PartiallySucceeded',
  'Expired',
] as const

const Transaction = z.object({
  TransactionId: z.string(),
  POSTransactionId: z.string().nullish(),
  Total: z.number(),
  Currency: z.string(),
  Payee: z.object({ Email: z.string().nullish() }).nullish(),
  Comment: z.string().nullish(),
  Status: z.string(),
  TransactionType: z.string(),
  RelatedId: z.string().nullish(),
})
export type BarionTransaction = z.infer<typeof Transaction>

const PaymentState = z.object({
  PaymentId: z.string(),
  Status: z.enum(BARION_STATUSES),
  Transactions: z.array(Transaction),
})
export type BarionPayment = z.infer<typeof PaymentState>

const Started = z.object({ PaymentId: z.string(), Status: z.enum(BARION_STATUSES) })

const Refunded = z.object({
  RefundedTransactions: z.array(z.object({ TransactionId: z.string(), Status: z.string() })).min(1),
})
export type BarionRefund = { readonly TransactionId: string; readonly Status: string }

// Part of every response, whatever its status: the errors.
const Errors = z.object({
  Errors: z.array(z.object({ ErrorCode: z.string().nullish(), Title: z.string().nullish() })).nullish(),
})

/** A refusal of Barion with its error code. */
export type BarionRefusal = { readonly ok: false; readonly code: string }
export type BarionAnswer<Value> = { readonly ok: true; readonly value: Value } | BarionRefusal

export type BarionClient = {
  /** `POST /v2/Payment/Start`. It has no idempotency key: each call creates another payment. */
  start(body: object): Promise<BarionAnswer<z.infer<typeof Started>>>
  /** `GET /v4/Payment/{id}/PaymentState`. */
  state(paymentId: string): Promise<BarionAnswer<BarionPayment>>
  /** `POST /v2/Payment/Refund`. It has no idempotency key either. */
  refund(body: object): Promise<BarionAnswer<BarionRefund>>
}

/** A client of Barion's API. Responses that are not understood throw PROVIDER_FAILURE; a list of errors is a result. */
export function barionClient({ apiUrl, posKey }: BarionSettings): BarionClient {
  const headers = { 'x-pos-key': posKey, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    askProvider('Barion', { method: 'POST', url: `${apiUrl}${path}`, headers, body: JSON.stringify(body) })
  return {
    start: async (body) => read(await post('/v2/Payment/Start', body), Started),
    state: async (paymentId) => {
      const url = `${apiUrl}/v4/Payment/${encodeURIComponent(paymentId)}/PaymentState`
      return read(await askProvider('Barion', { method: 'GET', url, headers }), PaymentState)
    },
    refund: async (body) => {
      const answer = read(await post('/v2/Payment/Refund', body), Refunded)
      if (!answer.ok) return answer
      const [first] = answer.value.RefundedTransactions
      if (!first) throw new AppError('PROVIDER_FAILURE', 'Barion named no refund', { retryable: true })
      return { ok: true, value: first }
    },
  }
}

function read<Schema extends z.ZodType>(
  { status, json }: { status: number; json: unknown },
  schema: Schema,
): BarionAnswer<z.infer<Schema>> {
  const [error] = Errors.safeParse(json).data?.Errors ?? []
  if (error) return { ok: false, code: error.ErrorCode ?? error.Title ?? 'Unknown' }
  if (status === 404) return { ok: false, code: 'PaymentNotFound' }
  const parsed = schema.safeParse(json)
  if (status >= 300 || !parsed.success) {
    throw new AppError('PROVIDER_FAILURE', `Barion answered ${status} in a form nobody knows`, { retryable: true })
  }
  return { ok: true, value: parsed.data }
}
