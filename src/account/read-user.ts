import type { User } from '#contracts/http/user.ts'
import { activeTier } from '#domain/billing/premium.ts'
import type { PremiumTier } from '#domain/billing/premium.ts'
import { spinCount } from '#domain/billing/wheel.ts'
import { PROFILE_COLUMNS, profileOf } from '../identity/profile.ts'
import type { ProfileRow } from '../identity/profile.ts'
import { ofLivingSession, readOfSession } from './session-read.ts'
import type { SessionAnswer, SessionReader } from './session-read.ts'

type Row = ProfileRow & {
  available_ft: number
  tier: PremiumTier | null
  premium_expires_at: Date | null
  last_free_spin_at: Date | null
  rerolls: number
  granted: number
  bought: number
}

const READ = ofLivingSession('account user', {
  columns: `${PROFILE_COLUMNS},
    coalesce(balance.money_ft + balance.bonus_ft - balance.held_ft, 0) as available_ft,
    premium.tier, premium.expires_at as premium_expires_at, spinner.last_free_spin_at,
    coalesce(spinner.rerolls, 0) as rerolls, coalesce(spinner.granted, 0) as granted, coalesce(spinner.bought, 0) as bought`,
  joins: `join public.users person on person.id = session.user_id
    left join control_api.balances balance on balance.user_id = $2
    left join control_api.premium premium on premium.user_id = $2
    left join control_api.spin_accounts spinner on spinner.user_id = $2`,
})

/** Reads what `GET /api/user/me` answers. */
export const readUser = async (reader: SessionReader): Promise<SessionAnswer<User>> => {
  const answer = await readOfSession<Row>(reader, READ)
  if (answer === null) return null
  const { rows, freshness } = answer
  return { body: { ...profileOf(rows[0]), ...accountOf(rows[0], freshness.presentMs) }, freshness }
}

const accountOf = (row: Row, nowMs: number): Pick<User, 'balance' | 'premium' | 'premiumExpiry' | 'spinCount'> => {
  const { tier, premium_expires_at: expiresAt, last_free_spin_at: lastFreeSpinAt, rerolls, granted, bought } = row
  const active = activeTier(tier && expiresAt ? { tier, expiresAtMs: expiresAt.getTime() } : undefined, nowMs)
  return {
    balance: row.available_ft,
    premium: active,
    premiumExpiry: active === 'none' ? null : (expiresAt?.toISOString() ?? null),
    spinCount: spinCount({ lastFreeSpinAtMs: lastFreeSpinAt?.getTime(), rerolls, granted, bought }, nowMs),
  }
}
