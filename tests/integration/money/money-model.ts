/**
 * The rules of money once more, written from the specification and not from the code under test: whole forints as bigint, no function
 * of the product. The run of the model compares each answer and each balance with those of the real use cases.
 */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const MONTH = 30 * DAY

/** Rounded half up; both are not negative. */
export const rounded = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator)
export const percent = (amount: bigint, share: number): bigint => rounded(amount * BigInt(share), 100n)
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The tax of a price with 27 % in it. */
const netOf = (gross: bigint): bigint => rounded(gross * 100n, 127n)

export const HOUSES = ['clearing', 'promotion', 'loss', 'out', 'revenue', 'vat'] as const
export type House = Record<(typeof HOUSES)[number], bigint>
export type InvoiceKind = 'top-up' | 'order' | 'renewal' | 'modification' | 'premium' | 'spin'
export type Part = { money: bigint; bonus: bigint }

export type Tier = 'essentials' | 'maximus' | 'ultimus'
export const TIERS: Record<Tier, { price: bigint; days: number; spins: number; discount: number }> = {
  essentials: { price: 990n, days: 30, spins: 1, discount: 5 },
  maximus: { price: 1990n, days: 60, spins: 2, discount: 10 },
  ultimus: { price: 3490n, days: 30, spins: 4, discount: 15 },
}
type Membership = { tier: Tier; from: number; until: number; given: number; ended: boolean }

export type Person = {
  readonly id: string
  wallet: Part
  held: Part
  debt: bigint
  memberships: Membership[]
  lastFree: number | undefined
  rerolls: number
  granted: number
  bought: number
  readonly invoices: Map<InvoiceKind, { count: number; gross: bigint }>
  /** The money that was given without a line of the statement. */
  unlisted: bigint
}

export type RefundEnd = 'pending' | 'succeeded' | 'failed'
type Refund = { readonly amount: bigint; state: RefundEnd; readonly later: 'succeeded' | 'failed'; readonly at: number }

export type Payment = {
  readonly id: string
  readonly owner: Person
  readonly amount: bigint
  settled: boolean
  dispute: 'none' | 'open' | 'lost' | 'won'
  readonly refunds: Refund[]
  claim: { amount: bigint; debt: bigint; writtenOff: bigint; won: boolean; at: number } | undefined
}

export type Model = {
  now: number
  readonly taxPoint: 'at_topup' | 'at_spend'
  readonly people: Person[]
  readonly payments: Payment[]
  readonly house: House
}

export const newPerson = (id: string): Person => ({
  id,
  wallet: { money: 0n, bonus: 0n },
  held: { money: 0n, bonus: 0n },
  debt: 0n,
  memberships: [],
  lastFree: undefined,
  rerolls: 0,
  granted: 0,
  bought: 0,
  invoices: new Map(),
  unlisted: 0n,
})

export const newModel = (ids: readonly string[], start: { now: number; taxPoint: Model['taxPoint'] }): Model => ({
  ...start,
  people: ids.map(newPerson),
  payments: [],
  house: { clearing: 0n, promotion: 0n, loss: 0n, out: 0n, revenue: 0n, vat: 0n },
})

export const freeMoney = ({ wallet, held }: Person): bigint => wallet.money - held.money
const available = (person: Person): bigint => freeMoney(person) + person.wallet.bonus - person.held.bonus
/** A customer who owes spends nothing. */
export const spendable = (person: Person): bigint => (person.debt > 0n ? 0n : available(person))

/** Sets an amount aside, bonus first. The caller has looked that it is there. */
export function setAside(person: Person, amount: bigint): Part {
  const bonus = least(amount, person.wallet.bonus - person.held.bonus)
  const part = { bonus, money: amount - bonus }
  person.held = { bonus: person.held.bonus + part.bonus, money: person.held.money + part.money }
  return part
}

export function free(person: Person, part: Part): void {
  person.held = { bonus: person.held.bonus - part.bonus, money: person.held.money - part.money }
}

/** The amount that was set aside is taken: revenue and tax. */
export function take(model: Model, person: Person, part: Part): void {
  free(person, part)
  person.wallet = { bonus: person.wallet.bonus - part.bonus, money: person.wallet.money - part.money }
  const gross = part.bonus + part.money
  model.house.revenue += netOf(gross)
  model.house.vat += gross - netOf(gross)
}

/** The part of a sale that was not given back. */
export type Sale = { stands: bigint }

/** The tax of each sale's rest is worked out anew, so that all its returns add up to its tax. */
export function giveFromRevenue(
  model: Model,
  person: Person,
  { part, bySale }: { part: Part; bySale: ReadonlyMap<Sale, bigint> },
): void {
  person.wallet = { bonus: person.wallet.bonus + part.bonus, money: person.wallet.money + part.money }
  for (const [sale, gross] of bySale) {
    const net = netOf(sale.stands) - netOf(sale.stands - gross)
    sale.stands -= gross
    model.house.revenue -= net
    model.house.vat -= gross - net
  }
}

export function invoice(model: Model, person: Person, sale: { kind: InvoiceKind; gross: bigint }): void {
  const isDue = (sale.kind === 'top-up') === (model.taxPoint === 'at_topup')
  if (!isDue || sale.gross === 0n) return
  const before = person.invoices.get(sale.kind) ?? { count: 0, gross: 0n }
  person.invoices.set(sale.kind, { count: before.count + 1, gross: before.gross + sale.gross })
}

/** Something that is delivered at once. */
export function buy(model: Model, person: Person, sale: { kind: InvoiceKind; gross: bigint }): Part {
  const part = setAside(person, sale.gross)
  take(model, person, part)
  invoice(model, person, sale)
  return part
}

export function grant(model: Model, person: Person, amount: bigint): void {
  person.wallet.bonus += amount
  model.house.promotion -= amount
}

export function payDebt(person: Person): void {
  const paid = least(person.debt, freeMoney(person))
  person.debt -= paid
  person.wallet.money -= paid
}

export function settle(model: Model, payment: Payment): void {
  if (payment.settled) return
  const { owner, amount } = payment
  payment.settled = true
  owner.wallet.money += amount
  model.house.clearing -= amount
  payDebt(owner)
  invoice(model, owner, { kind: 'top-up', gross: amount })
}

const sumOf = (payment: Payment, states: readonly string[]): bigint =>
  payment.refunds.reduce((sum, { amount, state }) => (states.includes(state) ? sum + amount : sum), 0n)
export const sentBack = (payment: Payment): bigint => sumOf(payment, ['succeeded'])

export function refundAnswer(payment: Payment, amount: bigint): string {
  if (!payment.settled) return 'NOT_SETTLED'
  if (payment.dispute === 'open' || payment.dispute === 'lost') return 'DISPUTED'
  if (amount > payment.amount - sumOf(payment, ['succeeded', 'pending'])) return 'MORE_THAN_PAID'
  return amount > freeMoney(payment.owner) ? 'INSUFFICIENT_BALANCE' : 'ok'
}

export function refund(
  model: Model,
  payment: Payment,
  { amount, first, later }: { amount: bigint; first: RefundEnd; later: 'succeeded' | 'failed' },
): Refund {
  payment.owner.wallet.money -= amount
  model.house.out += amount
  const made: Refund = { amount, state: 'pending', later, at: model.now }
  payment.refunds.push(made)
  endRefund(model, payment, { made, end: first })
  return made
}

export function endRefund(model: Model, { owner }: Payment, { made, end }: { made: Refund; end: RefundEnd }): void {
  if (end === 'pending' || made.state !== 'pending') return
  made.state = end
  model.house.out -= made.amount
  if (end === 'succeeded') {
    model.house.clearing += made.amount
    return
  }
  owner.wallet.money += made.amount
  payDebt(owner)
}

const STEPS = ['none', 'open', 'lost', 'won'] as const

export function dispute(model: Model, payment: Payment, seen: Payment['dispute']): void {
  const [from, to] = [STEPS.indexOf(payment.dispute), STEPS.indexOf(seen)]
  if (to <= from) return
  const before = payment.dispute
  payment.dispute = seen
  if (seen === 'won') win(model, payment)
  else if (before === 'none') claim(model, payment)
}

function claim(model: Model, payment: Payment): void {
  const { owner } = payment
  const amount = payment.amount - sentBack(payment)
  if (amount <= 0n) return
  const fromWallet = least(amount, freeMoney(owner))
  owner.wallet.money -= fromWallet
  owner.debt += amount - fromWallet
  model.house.clearing += amount
  payment.claim = { amount, debt: amount - fromWallet, writtenOff: 0n, won: false, at: model.now }
}

function win(model: Model, payment: Payment): void {
  const { owner, claim: made } = payment
  if (!made || made.won) return
  made.won = true
  const due = made.amount - made.writtenOff
  const endsDebt = least(due, owner.debt)
  owner.debt -= endsDebt
  owner.wallet.money += due - endsDebt
  model.house.clearing -= made.amount
  model.house.loss += made.writtenOff
  // The amount that the claim took off the invoice stands on a new one, but for refunds that arrived meanwhile.
  invoice(model, owner, { kind: 'top-up', gross: payment.amount - sentBack(payment) })
}

/** The youngest claims are given up first, because what was paid went to the oldest. */
export function writeOff(model: Model, person: Person): string {
  if (person.debt === 0n) return 'NO_DEBT'
  const claims = model.payments
    .flatMap(({ owner, claim: made }) => (owner === person && made && !made.won ? [made] : []))
    .toSorted((a, b) => b.at - a.at)
  let left = person.debt
  for (const made of claims) {
    const part = least(made.debt - made.writtenOff, left)
    made.writtenOff += part
    left -= part
  }
  model.house.loss -= person.debt
  person.debt = 0n
  return 'ok'
}

export const discountOf = (person: Person, now: number): number => {
  const last = person.memberships.at(-1)
  return last && now < last.until ? TIERS[last.tier].discount : 0
}

/** Free spins at the purchase and after each 30 days of the tier, until its end. */
export function advanceMemberships(person: Person, now: number): void {
  for (const each of person.memberships) {
    if (each.ended) continue
    while (each.from + each.given * MONTH <= Math.min(now, each.until - 1)) {
      each.given += 1
      person.granted += TIERS[each.tier].spins
    }
    if (each.until <= now) each.ended = true
  }
}

export function premium(model: Model, person: Person, tier: Tier): string {
  const last = person.memberships.at(-1)
  if (last && last.until <= model.now) advanceMemberships(person, model.now)
  if (last && model.now < last.until) return 'ALREADY_HAS_PREMIUM'
  const { price, days } = TIERS[tier]
  if (spendable(person) < price) return 'INSUFFICIENT_BALANCE'
  buy(model, person, { kind: 'premium', gross: price })
  person.memberships.push({ tier, from: model.now, until: model.now + days * DAY, given: 0, ended: false })
  advanceMemberships(person, model.now)
  return 'ok'
}

export const SPIN_PRICE = 200n
export function buySpins(model: Model, person: Person, count: number): string {
  if (count < 1 || count > 100) return 'SPIN_COUNT_INVALID'
  const gross = SPIN_PRICE * BigInt(count)
  if (spendable(person) < gross) return 'INSUFFICIENT_BALANCE'
  buy(model, person, { kind: 'spin', gross })
  person.bought += count
  return 'ok'
}

/** Out of what a spin is taken: what was won first, what was paid for last. */
export function takeSpin(person: Person, now: number): 'reroll' | 'weekly' | 'granted' | 'bought' | undefined {
  if (person.rerolls > 0) {
    person.rerolls -= 1
    return 'reroll'
  }
  if (person.lastFree === undefined || now >= person.lastFree + 7 * DAY) {
    person.lastFree = now
    return 'weekly'
  }
  if (person.granted > 0) {
    person.granted -= 1
    return 'granted'
  }
  if (person.bought === 0) return undefined
  person.bought -= 1
  return 'bought'
}
