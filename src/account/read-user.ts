import type { User } from '#contracts/http/user.ts'
import { spinCount } from '#domain/prizes/wheel.ts'
import { PROFILE_COLUMNS, profileOf } from '../identity/people/profile.ts'
import type { ProfileRow } from '../identity/people/profile.ts'
import { JOIN_PREMIUM, PREMIUM_COLUMNS, premiumNow } from './premium-now.ts'
import type { PremiumColumns } from './premium-now.ts'
import { ofLivingSession, readOfSession } from './session-read.ts'
import type { SessionAnswer, SessionReader } from './session-read.ts'

type Row = ProfileRow &
  PremiumColumns & {
    available_ft: number
    last_free_spin_at: string | null
    rerolls: number
    granted: number
    bought: number
  }

const READ = ofLivingSession('account user', {
  columns: `${PROFILE_COLUMNS},
    coalesce(balance.money_ft + balance.bonus_ft - balance.held_ft, 0) as available_ft,
    ${PREMIUM_COLUMNS}, spinner.last_free_spin_at,
    coalesce(spinner.rerolls, 0) as rerolls, coalesce(spinner.granted, 0) as granted, coalesce(spinner.bought, 0) as bought`,
  joins: `join public.users person on person.id = session.user_id
    left join control_api.balances balance on balance.user_id = $2
    ${JOIN_PREMIUM}
    left join control_api.spin_accounts spinner on spinner.user_id = $2`,
})

/** Reads the body of `GET /api/user/me`. */
export const readUser = async (reader: SessionReader): Promise<SessionAnswer<User>> => {
  const answer = await readOfSession<Row>(reader, READ)
  if (answer === null) return null
  const { rows, freshness } = answer
  return { body: { ...profileOf(rows[0]), ...accountOf(rows[0], freshness.presentMs) }, freshness }
}

const accountOf = (row: Row, nowMs: number): Pick<User, 'balance' | 'premium' | 'premiumExpiry' | 'spinCount'> => {
  const { last_free_spin_at: freeSpin, rerolls, granted, bought } = row
  const { tier, until } = premiumNow(row, nowMs)
  const lastFreeSpinAtMs = freeSpin === null ? undefined : Date.parse(freeSpin)
  return {
    balance: row.available_ft,
    premium: tier,
    premiumExpiry: until,
    spinCount: spinCount({ lastFreeSpinAtMs, rerolls, granted, bought }, nowMs),
  }
}
