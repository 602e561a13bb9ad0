import type { Caller } from '#contracts/internal-api/calls.ts'
import { subtract, type Money } from '#domain/billing/money.ts'
import { assertNever } from '#domain/kernel/assert.ts'
import type { KeyRefusal } from '../billing/once-per-key.ts'
import { readServerCharges, refundServer, type ServerRefundRefusal } from '../billing/refund-server.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'

function staffOf({ isAdmin, userId }: Caller): string {
  if (!isAdmin) throw new ApiRefusal('FORBIDDEN')
  return userId
}

const ft = (amount: Money): number => Number(amount.minor)

/** What administrators give back of servers. */
export const serverRefundCalls = ({
  context,
}: ApiDeps): Pick<InternalCalls, 'refund-server' | 'refund-server-quote'> => ({
  'refund-server-quote': async ({ caller, serverId }) => {
    staffOf(caller)
    const found = await readServerCharges(context, serverId)
    if (!found) throw new ApiRefusal('NOT_FOUND')
    const { server, paid, returned, unused, unusedBuckets } = found
    return {
      ...{ serverId, ownerId: server.ownerId, name: server.name },
      ...{ paidFt: ft(paid), returnedFt: ft(returned), refundableFt: ft(subtract(paid, returned)) },
      ...{ unusedFt: ft(unused), unusedMoneyFt: ft(unusedBuckets.money), unusedBonusFt: ft(unusedBuckets.bonus) },
      expiry: new Date(server.expiresAtMs).toISOString(),
    }
  },
  'refund-server': async ({ caller, serverId, amountFt, reason, endServer }, meta) => {
    const staffId = staffOf(caller)
    const result = await refundServer(context, {
      ...{ staffId, serverId, amountFt, reason, endServer, requestId: meta.requestId },
      idempotencyKey: keyOf(meta),
    })
    if (!result.ok) throw refused(result)
    const { moneyFt, bonusFt } = result.answer
    return { ...result.answer, amountFt: moneyFt + bonusFt }
  },
})

function refused({ code }: ServerRefundRefusal | KeyRefusal): ApiRefusal {
  switch (code) {
    case 'NOT_FOUND':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(code)
    case 'AMOUNT_INVALID':
      return new ApiRefusal('VALIDATION', { fields: { amountFt: 'invalid' } })
    case 'REASON_MISSING':
      return new ApiRefusal('VALIDATION', { fields: { reason: 'missing' } })
    case 'MORE_THAN_PAID':
    case 'SOURCE_NOT_REFUNDABLE':
    case 'INSUFFICIENT_BALANCE':
      return new ApiRefusal('REFUND_REFUSED', { params: { reason: code } })
    default:
      return assertNever(code)
  }
}
