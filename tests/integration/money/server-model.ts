import {
  DAY,
  MONTH,
  buy,
  discountOf,
  free,
  giveFromRevenue,
  invoice,
  least,
  payDebt,
  percent,
  rounded,
  setAside,
  spendable,
  take,
  type Model,
  type Part,
  type Person,
  type Sale,
} from './money-model.ts'

/**
 * A stretch of paid time: what was paid for the part of the monthly price from `low` to `top`, of which `kept` is still held. `bonus` is
 * what of `paid` was bonus.
 */
type Stretch = {
  start: number
  end: number
  low: bigint
  top: bigint
  kept: bigint
  paid: bigint
  bonus: bigint
  back: bigint
  readonly sale: Sale
}

/** A change of size as it was before it; `stretch` is what it charged for. */
type Change = { at: number; monthly: bigint; size: number; stretch: Stretch | undefined; isReversed: boolean }

export type Server = {
  readonly id: string
  readonly owner: Person
  readonly isPackage: boolean
  phase: 'ordering' | 'there' | 'gone'
  monthly: bigint
  size: number
  expiry: number
  auto: boolean
  told: { expiry: number; at: number } | undefined
  stretches: Stretch[]
  changes: Change[]
  readonly order: { part: Part | undefined; byMonth: readonly bigint[]; placed: number; coupon: Coupon | undefined }
}

export type Coupon = {
  readonly code: string
  readonly percent: number
  readonly forints: bigint
  readonly once: boolean
  readonly most: number
  /** The coupon of the wheel: personal, for the first month, and for one package where `packageOnly`. */
  readonly prize: { owner: Person; until: number; packageOnly: boolean } | undefined
  readonly uses: Person[]
}

/** Prices of the sizes that the test's service has, by their number. */
export const SIZES = [1500n, 2500n, 3000n, 5500n] as const
export const PACKAGE_PRICE = 990n

const shared = (total: bigint, months: number): bigint[] =>
  Array.from({ length: months }, (_, index) => {
    const whole = total / BigInt(months)
    return BigInt(index) < total % BigInt(months) ? whole + 1n : whole
  })

function couponFault(model: Model, coupon: Coupon, use: { person: Person; isPackage: boolean }): string | undefined {
  const { prize, uses, once, most } = coupon
  if (prize && prize.owner !== use.person) return 'COUPON_NOT_FOUND'
  if (prize && model.now >= prize.until) return 'COUPON_EXPIRED'
  if (once && uses.includes(use.person)) return 'COUPON_ALREADY_USED'
  if (uses.length >= most) return 'COUPON_USED_UP'
  return prize?.packageOnly && !use.isPackage ? 'COUPON_NOT_FOR_SERVICE' : undefined
}

export type OrderWish = { person: Person; size: number | undefined; months: number; coupon: Coupon | undefined }
export type Ordered = { answer: string; server?: Omit<Server, 'id'> }

const off = (coupon: Coupon, amount: bigint): bigint =>
  coupon.percent > 0 ? percent(amount, coupon.percent) : least(coupon.forints, amount)

/** The answer to an order, and the server that is being ordered where it is taken. */
export function order(model: Model, { person, size, months, coupon }: OrderWish): Ordered {
  const isPackage = size === undefined
  const monthly = isPackage ? PACKAGE_PRICE : (SIZES[size] ?? 0n)
  const list = monthly * BigInt(months)
  const reduced = list - percent(list, discountOf(person, model.now))
  let byMonth = shared(reduced, months)
  if (coupon) {
    const fault = couponFault(model, coupon, { person, isPackage })
    if (fault) return { answer: fault }
    const [first = 0n, ...rest] = byMonth
    byMonth = coupon.prize ? [first - off(coupon, first), ...rest] : shared(reduced - off(coupon, reduced), months)
  }
  const total = byMonth.reduce((sum, each) => sum + each, 0n)
  if (person.debt > 0n) return { answer: 'DEBT_OPEN' }
  if (spendable(person) < total) return { answer: 'INSUFFICIENT_BALANCE' }
  coupon?.uses.push(person)
  const part = total === 0n ? undefined : setAside(person, total)
  const made = { part, byMonth, placed: model.now, coupon }
  return {
    answer: 'ok',
    server: {
      owner: person,
      isPackage,
      monthly,
      size: size ?? -1,
      phase: 'ordering',
      expiry: 0,
      auto: false,
      told: undefined,
      stretches: [],
      changes: [],
      order: made,
    },
  }
}

/** Bonus is spent first, so it paid the earliest months of a charge. */
function addMonths(server: Server, start: number, { byMonth, part }: { byMonth: readonly bigint[]; part: Part }): void {
  let left = part.bonus
  const sale = { stands: part.money + part.bonus }
  for (const [index, paid] of byMonth.entries()) {
    const from = start + index * MONTH
    const { monthly: top } = server
    const bonus = least(left, paid)
    left -= bonus
    server.stretches.push({ start: from, end: from + MONTH, low: 0n, top, kept: top, paid, bonus, back: 0n, sale })
  }
}

export function install(model: Model, server: Server): void {
  if (server.phase !== 'ordering') return
  const { part, byMonth } = server.order
  server.phase = 'there'
  server.expiry = model.now + byMonth.length * MONTH
  addMonths(server, model.now, { byMonth, part: part ?? { money: 0n, bonus: 0n } })
  if (!part) return
  take(model, server.owner, part)
  invoice(model, server.owner, { kind: 'order', gross: part.money + part.bonus })
}

export function fail(server: Server): void {
  if (server.phase !== 'ordering') return
  const { part, coupon } = server.order
  server.phase = 'gone'
  if (part) free(server.owner, part)
  const at = coupon?.uses.indexOf(server.owner) ?? -1
  if (at >= 0) coupon?.uses.splice(at, 1)
}

const keptUntil = ({ expiry, told }: Server): number =>
  told?.expiry === expiry ? Math.max(expiry, told.at) + 3 * DAY : Number.POSITIVE_INFINITY

const renewalPrice = (model: Model, server: Server, months: number): bigint => {
  const list = server.monthly * BigInt(months)
  return list - percent(list, discountOf(server.owner, model.now))
}

export function renewalAnswer(model: Model, server: Server, months: number): string {
  if (server.phase === 'gone') return 'NOT_FOUND'
  if (server.phase === 'ordering') return 'NOT_INSTALLED'
  if (model.now >= Math.max(server.expiry + 3 * DAY, keptUntil(server))) return 'SERVER_DELETED'
  return spendable(server.owner) < renewalPrice(model, server, months) ? 'INSUFFICIENT_BALANCE' : 'ok'
}

export function renew(model: Model, server: Server, months: number): void {
  const total = renewalPrice(model, server, months)
  const part = buy(model, server.owner, { kind: 'renewal', gross: total })
  addMonths(server, server.expiry, { byMonth: shared(total, months), part })
  server.expiry += months * MONTH
}

export function modify(model: Model, server: Server, size: number): string {
  if (server.phase === 'gone') return 'NOT_FOUND'
  if (server.phase === 'ordering') return 'NOT_INSTALLED'
  if (server.isPackage) return 'IN_PACKAGE'
  if (model.now >= server.expiry + 3 * DAY) return 'SERVER_DELETED'
  if (model.now >= server.expiry) return 'SERVER_EXPIRED'
  if (server.size === size) return 'NOTHING_CHANGED'
  const target = SIZES[size] ?? 0n
  const { monthly, size: before, stretches } = server
  const isLarger = target > monthly
  if (isLarger) {
    if (!enlarge(model, server, target)) return 'INSUFFICIENT_BALANCE'
  } else shrink(model, server, target)
  const stretch = isLarger ? stretches.at(-1) : undefined
  server.changes.push({ at: model.now, monthly, size: before, stretch, isReversed: false })
  server.monthly = target
  server.size = size
  return 'ok'
}

function enlarge(model: Model, server: Server, target: bigint): boolean {
  const share = BigInt(100 - discountOf(server.owner, model.now))
  const left = BigInt(server.expiry - model.now)
  const price = rounded((target - server.monthly) * left * share, BigInt(MONTH) * 100n)
  if (spendable(server.owner) < price) return false
  const bonus = price > 0n ? buy(model, server.owner, { kind: 'modification', gross: price }).bonus : 0n
  const made = { low: server.monthly, top: target, kept: target, paid: price, bonus, back: 0n, sale: { stands: price } }
  server.stretches.push({ start: model.now, end: server.expiry, ...made })
  return true
}

/** Everything over one denominator; the parts get their whole forints, what the rounding adds goes to the first that have a remainder. */
function shrink(model: Model, server: Server, target: bigint): void {
  const back = above(server.stretches, target, model.now)
  if (back.part.money + back.part.bonus === 0n) return
  giveFromRevenue(model, server.owner, back)
  payDebt(server.owner)
}

type Back = { part: Part; bySale: Map<Sale, bigint> }

/** Takes an amount of a stretch back: its money first, which was spent last. */
function takeOf(each: Stretch, given: bigint, { part, bySale }: Back): void {
  const ofMoney = each.paid - each.bonus
  const money = least(given, ofMoney - least(each.back, ofMoney))
  part.money += money
  part.bonus += given - money
  each.back += given
  bySale.set(each.sale, (bySale.get(each.sale) ?? 0n) + given)
}

function above(stretches: readonly Stretch[], target: bigint, now: number): Back {
  const open = stretches.filter(({ end }) => end > now).toSorted((a, b) => a.start - b.start)
  const shares = open.map((each) => {
    const floor = target > each.low ? target : each.low
    const height = each.kept > floor ? each.kept - floor : 0n
    const left = BigInt(Math.min(each.end - now, each.end - each.start))
    return {
      each,
      floor,
      over: each.paid * height * left,
      under: (each.top - each.low) * BigInt(each.end - each.start),
    }
  })
  const common = shares.reduce((product, { under }) => product * under, 1n)
  const exact = shares.reduce((sum, { over, under }) => sum + over * (common / under), 0n)
  let left = rounded(exact, common) - shares.reduce((sum, { over, under }) => sum + over / under, 0n)
  const back: Back = { part: { money: 0n, bonus: 0n }, bySale: new Map() }
  for (const { each, floor, over, under } of shares) {
    let share = over / under
    if (left > 0n && over % under !== 0n) {
      share += 1n
      left -= 1n
    }
    takeOf(each, least(share, each.paid - each.back), back)
    if (each.kept > floor) each.kept = floor
  }
  return back
}

/** Its node takes no size: the newest change goes where it was paid for, and what was renewed since comes down to the price before. */
export function refuseSize(model: Model, server: Server): void {
  const change = server.changes.findLast(({ isReversed }) => !isReversed)
  const stretch = change?.stretch
  if (server.phase !== 'there' || !change || !stretch || stretch.paid === 0n) return
  change.isReversed = true
  server.monthly = change.monthly
  server.size = change.size
  const others = server.stretches.filter((each) => each !== stretch)
  const back = above(others, change.monthly, change.at)
  takeOf(stretch, stretch.paid - stretch.back, back)
  stretch.kept = stretch.low
  if (back.part.money + back.part.bonus === 0n) return
  giveFromRevenue(model, server.owner, back)
  payDebt(server.owner)
}

/** The effect of the run over everybody's paid time on one server. */
export function look(model: Model, server: Server): void {
  if (server.phase !== 'there') return
  const renews = server.auto && model.now >= server.expiry - DAY
  if (renews && renewalAnswer(model, server, 1) === 'ok') renew(model, server, 1)
  if (model.now < server.expiry) return
  const isKept = model.now < server.expiry + 3 * DAY || model.now < keptUntil(server)
  if (!isKept) server.phase = 'gone'
  else if (server.told?.expiry !== server.expiry) server.told = { expiry: server.expiry, at: model.now }
}
