import { subtract, type Money } from '#domain/billing/money.ts'
import { readServerCharges, refundServer } from '../money/withdrawal/refund-server.ts'
import { administratorOf } from './administrator-of.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { refundRefused } from './staff-payment-calls.ts'

const ft = (amount: Money): number => Number(amount.minor)

/** Calls with which administrators refund servers. */
export const serverRefundCalls = ({
  context,
}: ApiDeps): Pick<InternalCalls, 'refund-server' | 'refund-server-quote'> => ({
  'refund-server-quote': async ({ caller, serverId }) => {
    administratorOf(caller)
    const found = await readServerCharges(context, serverId)
    if (!found) throw new ApiRefusal('NOT_FOUND')
    const { server, paid, returned, unused, unusedBuckets } = found
    return {
      serverId,
      ownerId: server.ownerId,
      name: server.name,
      paidFt: ft(paid),
      returnedFt: ft(returned),
      refundableFt: ft(subtract(paid, returned)),
      unusedFt: ft(unused),
      unusedMoneyFt: ft(unusedBuckets.money),
      unusedBonusFt: ft(unusedBuckets.bonus),
      expiry: new Date(server.expiresAtMs).toISOString(),
    }
  },
  'refund-server': async ({ caller, serverId, amountFt, reason, endServer }, meta) => {
    const { staffId } = administratorOf(caller)
    const result = await refundServer(context, {
      staffId,
      serverId,
      amountFt,
      reason,
      endServer,
      requestId: meta.requestId,
      idempotencyKey: keyOf(meta),
    })
    if (!result.ok) throw refundRefused(result.code)
    const { moneyFt, bonusFt } = result.answer
    return { ...result.answer, amountFt: moneyFt + bonusFt }
  },
})
