import { assertNever } from '#domain/kernel/assert.ts'
import { quoteRenewal } from '../money/renewals/quote-renewal.ts'
import { renewServer, type RenewRefusal } from '../money/renewals/renew-server.ts'
import { setAutoRenewal } from '../money/renewals/set-auto-renewal.ts'
import type { KeyRefusal } from '../platform/once-per-key.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { findServer } from '../servers/store/read-servers.ts'

type RenewalCall = 'renewal-quote' | 'renew' | 'auto-renewal'

/** Translates the refusal of a renewal to the API. */
export function renewalRefused({ code, ...rest }: RenewRefusal | KeyRefusal): ApiRefusal {
  const price = 'priceFt' in rest && rest.priceFt !== undefined ? { price: rest.priceFt.toString() } : undefined
  switch (code) {
    case 'MONTHS_INVALID':
      return new ApiRefusal('VALIDATION', { fields: { months: 'invalid' } })
    case 'SERVER_DELETED':
      return new ApiRefusal('NOT_FOUND')
    case 'NOT_INSTALLED':
      return new ApiRefusal('INVALID_STATE')
    case 'NOT_RENEWABLE':
      return new ApiRefusal('NOT_ORDERABLE')
    case 'INSUFFICIENT_BALANCE':
      // Orders have the specification's sentence, which is about a purchase.
      return new ApiRefusal(code, { params: { purchase: 'renewal', ...price } })
    case 'TEST_SERVER':
    case 'NOT_FOUND':
    case 'FORBIDDEN':
    case 'EMAIL_NOT_VERIFIED':
    case 'PRICE_CHANGED':
    case 'EXPIRY_CHANGED':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(code, price ? { params: price } : {})
    default:
      return assertNever(code)
  }
}

/** Calls of an owner about the paid time of a server. */
export const renewalCalls = ({ context }: ApiDeps): Pick<InternalCalls, RenewalCall> => ({
  'renewal-quote': async (input) => {
    const result = await quoteRenewal(context, input)
    if (!result.ok) throw renewalRefused(result)
    return result.quote
  },
  renew: async (input, meta) => {
    const result = await renewServer(context, { ...input, requestId: meta.requestId, idempotencyKey: keyOf(meta) })
    if (!result.ok) throw renewalRefused(result)
    const server = await findServer(context, { caller: input.caller, serverId: input.serverId })
    // A repeated key may name a server that has been deleted meanwhile.
    if (!server) throw new ApiRefusal('NOT_FOUND')
    const { renewalId: id, totalFt, periodEndMs } = result.answer
    const renewal = { id, months: input.request.months, totalFt, expiresAt: new Date(periodEndMs).toISOString() }
    return { renewal, server }
  },
  'auto-renewal': async ({ caller, serverId, change }) => {
    const result = await setAutoRenewal(context, { caller, serverId, enabled: change.enabled })
    if (!result.ok) throw renewalRefused(result)
    return change
  },
})
