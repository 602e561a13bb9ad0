import type { ErrorCode } from '#contracts/http/errors.ts'
import { activeTier } from '#domain/billing/premium.ts'
import { spinCount } from '#domain/prizes/wheel.ts'
import type { Money } from '#domain/billing/money.ts'
import type { InternalInput, InternalOutput } from '#contracts/internal-api/calls.ts'
import { purchasePremium } from '../money/premium/buy-premium.ts'
import { viewPremium } from '../money/premium/premium-view.ts'
import { readPremium } from '../money/premium/premium-store.ts'
import { purchaseSpins, redeemCoupon } from '../money/wheel/more-spins.ts'
import { readSpinAccount } from '../money/wheel/spin-account.ts'
import { spinWheel } from '../money/wheel/spin.ts'
import { listSpins, proveSpin, viewWheel } from '../money/wheel/wheel-view.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal, orderRefused } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'

type Refusal = {
  readonly ok: false
  readonly code: ErrorCode | 'TIER_UNKNOWN'
  readonly missing?: Money
  readonly price?: Money
}

/** Translates the refusal of a purchase or a spin to the API: `price` is the missing amount, or the new price. */
function refused({ code, missing, price }: Refusal): ApiRefusal {
  if (code === 'TIER_UNKNOWN') return new ApiRefusal('VALIDATION', { fields: { tier: 'invalid' } })
  if (code === 'SPIN_COUNT_INVALID') return new ApiRefusal(code, { fields: { count: 'invalid' } })
  const amount = missing ?? price
  return new ApiRefusal(code, amount ? { params: { price: amount.minor.toString() } } : {})
}

type PrizeCall =
  'account' | 'premium' | 'buy-premium' | 'wheel' | 'spin' | 'buy-spins' | 'spin-coupon' | 'spins' | 'spin-proof'

/** Premium and the prize wheel, and their part of `/api/user/me`. */
export const prizeCalls = (deps: ApiDeps): Pick<InternalCalls, PrizeCall> => ({
  account: (input) => accountOf(deps, input),
  premium: ({ caller }) => viewPremium(deps.context, caller),
  'buy-premium': async (input, meta) => {
    const bought = await purchasePremium(deps.context, { ...input, ...meta, idempotencyKey: keyOf(meta) })
    if (!bought.ok) throw refused(bought)
    const { tier, expiresAtMs } = bought.answer
    return { tier, expiresAt: new Date(expiresAtMs).toISOString() }
  },
  wheel: ({ caller }) => viewWheel(deps.context, caller),
  spin: async (input, meta) => {
    const { context } = deps
    const { caller } = input
    const spun = await spinWheel(context, { ...input, ...meta, idempotencyKey: keyOf(meta) })
    if (!spun.ok) throw refused(spun)
    const spin = await proveSpin(context.db, { userId: caller.userId, spinId: spun.answer.spinId })
    if (!spin) throw new ApiRefusal('NOT_FOUND')
    return { spin, wheel: await viewWheel(context, caller) }
  },
  'buy-spins': async (input, meta) => {
    const bought = await purchaseSpins(deps.context, { ...input, ...meta, idempotencyKey: keyOf(meta) })
    if (!bought.ok) throw refused(bought)
    return viewWheel(deps.context, input.caller)
  },
  'spin-coupon': async ({ caller, request }) => {
    const redeemed = await redeemCoupon(deps.context, { caller, code: request.code })
    if (!redeemed.ok) throw orderRefused(redeemed)
    return viewWheel(deps.context, caller)
  },
  spins: ({ caller, limit, before }) => listSpins(deps.context.db, { userId: caller.userId, limit, before }),
  'spin-proof': async ({ caller, spinId }) => {
    const spin = await proveSpin(deps.context.db, { userId: caller.userId, spinId })
    if (!spin) throw new ApiRefusal('NOT_FOUND')
    return spin
  },
})

async function accountOf(deps: ApiDeps, { caller }: InternalInput<'account'>): Promise<InternalOutput<'account'>> {
  const { db, clock, ledgerOn } = deps.context
  const { userId } = caller
  const [{ available }, premium, spins] = await Promise.all([
    ledgerOn(db).userBalance(userId, 'HUF'),
    readPremium(db, userId),
    readSpinAccount(db, userId),
  ])
  const nowMs = clock.now()
  const tier = activeTier(premium, nowMs)
  const premiumExpiry = premium && tier !== 'none' ? new Date(premium.expiresAtMs).toISOString() : null
  return { balance: Number(available.minor), premium: tier, premiumExpiry, spinCount: spinCount(spins, nowMs) }
}
