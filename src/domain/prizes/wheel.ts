import { isLess, subtract, times, type Money } from '../billing/money.ts'
import { DAY_MS } from '../billing/period.ts'

/** The types of specification section 3. */
export const PRIZE_TYPES = ['money', 'reroll', 'server', 'coupon', 'nothing'] as const
export type PrizeType = (typeof PRIZE_TYPES)[number]

/** One field of the wheel. */
export type WheelPrize = {
  readonly id: string
  readonly type: PrizeType
  /** Forints of a money prize, percent of a coupon, 0 otherwise. */
  readonly amount: number
  /** A whole number; a prize's probability is its weight among all weights. */
  readonly weight: number
}

/** So that a draw needs one word of 32 bits. */
export const MAX_TOTAL_WEIGHT = 1_000_000

export type WheelFault = 'NO_PRIZES' | 'ID_TWICE' | 'WEIGHT_INVALID' | 'AMOUNT_INVALID' | 'ONLY_REROLLS'

/** The sum of all weights. */
export const totalWeight = (prizes: readonly WheelPrize[]): number =>
  prizes.reduce((before, { weight }) => before + weight, 0)

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

function hasAmount({ type, amount }: WheelPrize): boolean {
  if (type === 'money') return isWithin(amount, 1, 1_000_000)
  return type === 'coupon' ? isWithin(amount, 1, 100) : amount === 0
}

/** The fault of a wheel that staff are about to save, or undefined. A wheel of only rerolls would never end. */
export function wheelFault(prizes: readonly WheelPrize[]): WheelFault | undefined {
  if (prizes.length === 0) return 'NO_PRIZES'
  if (new Set(prizes.map(({ id }) => id)).size !== prizes.length) return 'ID_TWICE'
  if (!prizes.every(({ weight }) => isWithin(weight, 0, MAX_TOTAL_WEIGHT))) return 'WEIGHT_INVALID'
  if (!isWithin(totalWeight(prizes), 1, MAX_TOTAL_WEIGHT)) return 'WEIGHT_INVALID'
  if (!prizes.every(hasAmount)) return 'AMOUNT_INVALID'
  return prizes.some(({ type, weight }) => type !== 'reroll' && weight > 0) ? undefined : 'ONLY_REROLLS'
}

export type Odds = {
  readonly id: string
  /** Hundredths of a percent. */
  readonly basisPoints: number
}

const WHOLE = 10_000

/**
 * The displayed probability of each prize, in the wheel's order. The shares are rounded by the largest remainder, so
 * that the table adds up to exactly 100 %, and every share is less than 0.01 % off.
 */
export function oddsTable(prizes: readonly WheelPrize[]): Odds[] {
  const total = totalWeight(prizes)
  if (total < 1) throw new RangeError('a wheel needs a weight')
  const shares = prizes.map(({ id, weight }, index) => ({
    id,
    index,
    floor: Math.floor((weight * WHOLE) / total),
    remainder: (weight * WHOLE) % total,
  }))
  const left = WHOLE - shares.reduce((before, { floor }) => before + floor, 0)
  const raised = new Set(
    shares
      .toSorted((a, b) => b.remainder - a.remainder || a.index - b.index)
      .slice(0, left)
      .map(({ index }) => index),
  )
  return shares.map(({ id, index, floor }) => ({ id, basisPoints: raised.has(index) ? floor + 1 : floor }))
}

/** A free spin is due 7 x 24 h after the last one (clarifications, part 4). */
export const FREE_SPIN_EVERY_MS = 7 * DAY_MS

/** A customer's spins. */
export type SpinAccount = {
  readonly userId: string
  readonly lastFreeSpinAtMs: number | undefined
  /** Won by a reroll. */
  readonly rerolls: number
  /** From premium and spin coupons. */
  readonly granted: number
  readonly bought: number
}

export type SpinSource = 'reroll' | 'weekly' | 'granted' | 'bought'

export type SpinDecision =
  | {
      readonly ok: true
      readonly source: SpinSource
      /** For the weekly one: unique for ever, so that two presses of the button give one free spin. */
      readonly key?: string
    }
  | { readonly ok: false; readonly code: 'WHEEL_DISABLED' }
  | { readonly ok: false; readonly code: 'NO_SPINS'; readonly nextFreeSpinAtMs: number }

/** When the next free spin is due; for a customer who never had one, now or earlier. In epoch milliseconds. */
export const nextFreeSpinAtMs = (lastFreeSpinAtMs: number | undefined): number =>
  lastFreeSpinAtMs === undefined ? 0 : lastFreeSpinAtMs + FREE_SPIN_EVERY_MS

const hasFreeSpin = ({ lastFreeSpinAtMs }: Pick<SpinAccount, 'lastFreeSpinAtMs'>, nowMs: number): boolean =>
  nowMs >= nextFreeSpinAtMs(lastFreeSpinAtMs)

/**
 * Whether a customer may spin, and which spin is used: free ones first, so that bought spins stay refundable longest.
 */
export function decideSpin(
  account: SpinAccount,
  { nowMs, isEnabled }: { readonly nowMs: number; readonly isEnabled: boolean },
): SpinDecision {
  if (!isEnabled) return { ok: false, code: 'WHEEL_DISABLED' }
  if (account.rerolls > 0) return { ok: true, source: 'reroll' }
  if (hasFreeSpin(account, nowMs)) {
    return { ok: true, source: 'weekly', key: `spin-weekly:${account.userId}:${account.lastFreeSpinAtMs ?? 'first'}` }
  }
  if (account.granted > 0) return { ok: true, source: 'granted' }
  if (account.bought > 0) return { ok: true, source: 'bought' }
  return { ok: false, code: 'NO_SPINS', nextFreeSpinAtMs: nextFreeSpinAtMs(account.lastFreeSpinAtMs) }
}

/** `spinCount` of specification section 3: the current number of spins, including the weekly one. */
export function spinCount(account: Omit<SpinAccount, 'userId'>, nowMs: number): number {
  return account.rerolls + account.granted + account.bought + (hasFreeSpin(account, nowMs) ? 1 : 0)
}

/** The account after a spin with its prize: a reroll adds one spin at once. */
export function accountAfterSpin(
  account: SpinAccount,
  spin: { readonly source: SpinSource; readonly prize: Pick<WheelPrize, 'type'>; readonly nowMs: number },
): SpinAccount {
  const { source, prize, nowMs } = spin
  const taken = (each: SpinSource): number => (source === each ? 1 : 0)
  return {
    ...account,
    lastFreeSpinAtMs: source === 'weekly' ? nowMs : account.lastFreeSpinAtMs,
    rerolls: account.rerolls - taken('reroll') + (prize.type === 'reroll' ? 1 : 0),
    granted: account.granted - taken('granted'),
    bought: account.bought - taken('bought'),
  }
}

export const MAX_SPINS_PER_PURCHASE = 100

/** Whether this number of spins can be bought at once: a whole number from 1 to 100. */
export const isSpinCount = (count: unknown): count is number =>
  typeof count === 'number' && isWithin(count, 1, MAX_SPINS_PER_PURCHASE)

export type SpinPurchase =
  | { readonly ok: true; readonly count: number; readonly charge: Money }
  | { readonly ok: false; readonly code: 'SPIN_BUYING_OFF' | 'SPIN_COUNT_INVALID' }
  | { readonly ok: false; readonly code: 'INSUFFICIENT_BALANCE'; readonly missing: Money }

/**
 * Decides on a purchase of spins. A paid draw is gambling in some countries, so the settings can disable it as a whole
 * and per country; if the customer's country is unknown it is off. An invalid count is 'Invalid spin count!'.
 */
export function buySpins(request: {
  readonly count: unknown
  readonly price: Money
  readonly country: string | undefined
  readonly setting: { readonly isOn: boolean; readonly offInCountries: readonly string[] }
  readonly available: Money
}): SpinPurchase {
  const { count, country, setting, available } = request
  if (!setting.isOn || country === undefined || setting.offInCountries.includes(country)) {
    return { ok: false, code: 'SPIN_BUYING_OFF' }
  }
  if (!isSpinCount(count)) return { ok: false, code: 'SPIN_COUNT_INVALID' }
  const charge = times(request.price, BigInt(count))
  return isLess(available, charge)
    ? { ok: false, code: 'INSUFFICIENT_BALANCE', missing: subtract(charge, available) }
    : { ok: true, count, charge }
}
