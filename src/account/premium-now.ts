import { activeTier } from '#domain/billing/premium.ts'
import type { PremiumTier } from '#domain/billing/premium.ts'

/** Joins the premium tier of the session's person to a statement. */
export const JOIN_PREMIUM = 'left join control_api.premium premium on premium.user_id = $2'
export const PREMIUM_COLUMNS = 'premium.tier, premium.expires_at as premium_expires_at'
export type PremiumColumns = { readonly tier: PremiumTier | null; readonly premium_expires_at: string | null }

/** The premium tier at a given time and its end; `until` is null without a tier. */
export const premiumNow = (
  { tier, premium_expires_at: expiresAt }: PremiumColumns,
  nowMs: number,
): { readonly tier: PremiumTier; readonly until: string | null } => {
  if (tier === null || expiresAt === null) return { tier: 'none', until: null }
  const expiresAtMs = Date.parse(expiresAt)
  const active = activeTier({ tier, expiresAtMs }, nowMs)
  return { tier: active, until: active === 'none' ? null : new Date(expiresAtMs).toISOString() }
}
