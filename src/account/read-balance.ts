import type { PaymentMethod } from '#contracts/http/payment.ts'
import type { Balance, RenewingServer } from '#contracts/http/balance.ts'
import type { PremiumTier } from '#domain/billing/premium.ts'
import type * as z from 'zod'
import { JOIN_PREMIUM, PREMIUM_COLUMNS, premiumNow } from './premium-now.ts'
import type { PremiumColumns } from './premium-now.ts'
import { ofLivingSession, readOfSession } from './session-read.ts'
import type { SessionAnswer, SessionReader } from './session-read.ts'

type Row = PremiumColumns & {
  money_ft: number
  bonus_ft: number
  held_ft: number
  debt_ft: number
  discounts: Record<PremiumTier, number>
  renewing: z.infer<typeof RenewingServer>[]
  payment_methods: PaymentMethod[] | null
}

const READ = ofLivingSession('account balance', {
  columns: `coalesce(balance.money_ft, 0) as money_ft, coalesce(balance.bonus_ft, 0) as bonus_ft,
    coalesce(balance.held_ft, 0) as held_ft, coalesce(balance.debt_ft, 0) as debt_ft,
    ${PREMIUM_COLUMNS}, beat.payment_methods,
    (select jsonb_object_agg(offer.tier, offer.discount_percent) from cms_api.premium_tiers offer) as discounts,
    (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'identifier', s.identifier,
        'monthlyPriceFt', s.renewal_price_ft, 'expiry', s.expires_at) order by s.expires_at, s.id), '[]')
     from control_api.servers s where s.owner_id = $2 and s.renews) as renewing`,
  joins: `left join control_api.balances balance on balance.user_id = $2
    ${JOIN_PREMIUM}`,
})

/**
 * Reads the body of `GET /api/balance`. `methods` is null until a control plane has published its payment methods; one
 * of the previous release never does.
 */
export const readBalance = async (
  reader: SessionReader,
): Promise<SessionAnswer<Omit<Balance, 'methods'> & { methods: PaymentMethod[] | null }>> => {
  const answer = await readOfSession<Row>(reader, READ)
  if (answer === null) return null
  const { rows, freshness } = answer
  const [row] = rows
  const body = {
    balanceFt: row.money_ft + row.bonus_ft - row.held_ft,
    moneyFt: row.money_ft,
    bonusFt: row.bonus_ft,
    heldFt: row.held_ft,
    debtFt: row.debt_ft,
    renewing: row.renewing.map((server) => ({ ...server, expiry: new Date(server.expiry).toISOString() })),
    renewalDiscount: discountOf(row, freshness.presentMs),
    methods: row.payment_methods,
  }
  return { body, freshness }
}

/** The current premium discount on renewals, and its end. */
const discountOf = (row: Row, nowMs: number): Balance['renewalDiscount'] => {
  const { tier, until } = premiumNow(row, nowMs)
  const percent = row.discounts[tier]
  return percent === 0 ? null : { percent, until }
}
