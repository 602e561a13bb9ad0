import type { SpinPurchase } from '#contracts/http/spin.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { normaliseCode, type CouponRefusal } from '#domain/billing/coupon.ts'
import { add, forints, type Money } from '#domain/billing/money.ts'
import { redeemSpinCoupon } from '#domain/prizes/spin-coupon.ts'
import { buySpins, isSpinCount } from '#domain/prizes/wheel.ts'
import { readSettings } from '../../cms/cms-reader.ts'
import { readSpinCoupon } from '../../cms/sales-reader.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { lockMailboxes } from '../mailboxes/mailbox-store.ts'
import { sell, sellOnce } from '../sale/till.ts'
import { storedTax, taxOfCustomer } from '../tax/tax-of-sale.ts'
import { SPINS } from '../things/spins.ts'
import { missingFor, spendable } from '../wallet/debt.ts'
import { countryOf, readWheel } from './open-wheel.ts'
import { grantSpins, lockSpinAccount, writeSpinAccount } from './spin-account.ts'

export type SpinPurchaseRefusal =
  | { readonly ok: false; readonly code: 'EMAIL_NOT_VERIFIED' | 'SPIN_BUYING_OFF' | 'SPIN_COUNT_INVALID' }
  | { readonly ok: false; readonly code: 'PRICE_CHANGED'; readonly price: Money }
  | { readonly ok: false; readonly code: 'INSUFFICIENT_BALANCE'; readonly missing: Money }

type BuySpins = {
  readonly caller: Caller
  readonly request: SpinPurchase
  readonly requestId: string
  readonly idempotencyKey: string
}

type Bought = { readonly purchaseId: string }

/** Fault points in the order in which they are passed. */
export const BUY_SPINS_FAULTS = ['spins.begin', 'spins.charged', 'spins.written', 'spins.committed'] as const

/** Buys spins, if staff sell them. */
export const purchaseSpins = (
  context: MoneyContext,
  command: BuySpins,
): Promise<{ ok: true; answer: Bought; replayed: boolean } | SpinPurchaseRefusal | KeyRefusal> => {
  const { caller, request: body, idempotencyKey: key } = command
  return sellOnce(context, { thing: SPINS, userId: caller.userId, key, body }, (tx) => buyOnce(tx, context, command))
}

async function buyOnce(
  tx: Sql,
  context: MoneyContext,
  { caller, request, requestId }: BuySpins,
): Promise<{ ok: true; answer: Bought } | SpinPurchaseRefusal> {
  if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
  // Before the account's lock, which would create a missing one.
  if (!isSpinCount(request.count)) return { ok: false, code: 'SPIN_COUNT_INVALID' }
  const { userId } = caller
  const account = await lockSpinAccount(tx, userId)
  const { settings, isEnabled } = await readWheel(tx)
  const available = await spendable(context.ledgerOn(tx), userId)
  const decided = buySpins({
    count: request.count,
    available,
    country: await countryOf(tx, userId),
    price: forints(BigInt(settings.spin_price_ft)),
    setting: { isOn: settings.buying && isEnabled, offInCountries: settings.blocked_countries },
  })
  if (!decided.ok) {
    if (decided.code !== 'INSUFFICIENT_BALANCE') return { ok: false, code: decided.code }
    // A customer in debt may spend nothing: the price is the missing amount plus the spendable balance.
    const price = add(decided.missing, available)
    return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: await missingFor(context.ledgerOn(tx), userId, price) }
  }
  const { count, charge: total } = decided
  if (request.expectedPriceFt !== undefined && BigInt(request.expectedPriceFt) !== total.minor) {
    return { ok: false, code: 'PRICE_CHANGED', price: total }
  }
  const id = context.ids.next()
  const tax = await taxOfCustomer(tx, { userId, atMs: context.clock.now() })
  const sold = await sell(tx, context, {
    sale: { thing: SPINS, id, facts: { count }, total, tax, buyer: caller, requestId },
    deliver: async () => {
      await writeSpinAccount(tx, { ...account, bought: account.bought + count })
      await tx.query(
        'insert into control.spin_purchases (id, user_id, count, price_ft, created_at, tax) values ($1, $2, $3, $4, $5, $6)',
        [id, userId, count, total.minor.toString(), new Date(context.clock.now()), JSON.stringify(storedTax(tax))],
      )
    },
  })
  if (!sold.ok) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: sold.missing }
  return { ok: true, answer: { purchaseId: id } }
}

/** Redeems a spin coupon: once per mailbox, until its uses are exhausted. Uses of one coupon wait for one another. */
export function redeemCoupon(
  context: MoneyContext,
  { caller, code: typed }: { caller: Caller; code: string },
): Promise<{ ok: true; spins: number } | CouponRefusal | { ok: false; code: 'EMAIL_NOT_VERIFIED' }> {
  return context.db.transaction(async (tx) => {
    if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
    const { userId, address } = caller
    const areCouponsEnabled = (await readSettings(tx)).coupon_use
    const code = normaliseCode(typed)
    if (areCouponsEnabled && code === undefined) return { ok: false, code: 'COUPON_INVALID' }
    const row = code === undefined ? undefined : await readSpinCoupon(tx, code)
    const uses = row ? await lockUses(tx, context, { couponId: row.id, userId }) : { usedCount: 0, usedByCustomer: 0 }
    const nowMs = context.clock.now()
    const coupon = row && {
      id: row.id,
      code: row.code,
      maxUses: row.number_of_uses,
      spins: row.spins,
      isActive: row.active,
      expiresAtMs: row.expires_at?.getTime(),
    }
    const decided = redeemSpinCoupon(coupon, { areCouponsEnabled, nowMs, ...uses })
    if (!decided.ok || !row) return decided.ok ? { ok: false, code: 'COUPON_NOT_FOUND' } : decided
    const { spins } = decided
    const key = `spin-coupon:${row.id}:${userId}`
    const isGiven = await grantSpins(tx, { key, userId, spins, couponId: row.id, atMs: nowMs })
    if (!isGiven) return { ok: false, code: 'COUPON_ALREADY_USED' }
    const detail = { code: row.code, spins }
    await recordActivity(tx, context, { userId, address, type: 'spins.coupon', status: 'success', detail })
    return { ok: true, spins }
  })
}

async function lockUses(
  tx: Sql,
  context: MoneyContext,
  { couponId, userId }: { couponId: string; userId: string },
): Promise<{ usedCount: number; usedByCustomer: number }> {
  await lockInOrder(tx, { coupon: { of: 'spins', id: couponId } })
  // A separate statement after the lock: it sees the commit of the previous holder.
  const accounts = await lockMailboxes(tx, context, userId)
  const [uses] = await tx.query<{ by_all: bigint; by_customer: bigint }>(
    `select count(*) as by_all, count(*) filter (where user_id = any ($2)) as by_customer
     from control.spin_grants where coupon_id = $1`,
    [couponId, accounts],
  )
  return { usedCount: Number(uses?.by_all ?? 0), usedByCustomer: Number(uses?.by_customer ?? 0) }
}
