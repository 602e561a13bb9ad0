import { createHmac } from 'node:crypto'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import type { Database } from '#platform/postgres/database.ts'
import { purchaseSpins, redeemCoupon } from '../../../control-plane/money/wheel/more-spins.ts'
import { spinOnce } from '../../factories/prizes.ts'
import { callerOf } from '../../factories/shop.ts'
import {
  buySpins,
  grant,
  MONTH,
  premium,
  spendable,
  SPIN_PRICE,
  takeSpin,
  type Person,
  type Tier,
} from './money-model.ts'
import { askOf, codeOf, contextOf, NOTHING, personOf, pickOf, remember, type Perform, type Run } from './money-run.ts'
import { WHEEL } from './money-world.ts'

const premiumBought: Perform = async (run, step) => {
  const person = personOf(run, step)
  const tier = (['essentials', 'maximus', 'ultimus'] as const)[step.size % 3] as Tier
  const answer = premium(run.model, person, tier)
  const command = { ...askOf(person), request: { tier } }
  const again = (changed: boolean) =>
    purchasePremium(contextOf(run), changed ? { ...command, request: { tier, expectedPriceFt: 1 } } : command)
  const result = await again(false)
  remember(run, result, again)
  return { model: answer, real: codeOf(result) }
}

const spinsBought: Perform = async (run, step) => {
  const person = personOf(run, step)
  const count = step.size % 9
  const answer = buySpins(run.model, person, count)
  const command = { ...askOf(person), request: { count } }
  const again = (changed: boolean) =>
    purchaseSpins(contextOf(run), changed ? { ...command, request: { count: count + 1 } } : command)
  const result = await again(false)
  remember(run, result, again)
  return { model: answer, real: codeOf(result) }
}

/** So many at once on connections of their own, with money for some of them (I6). */
const spinsAtOnce: Perform = async (run, step) => {
  const person = personOf(run, step)
  const count = 1 + (step.size % 4)
  const affordable = spendable(person) / (SPIN_PRICE * BigInt(count))
  const tries = 6
  const isDone = Array.from({ length: tries }, () => buySpins(run.model, person, count) === 'ok')
  const context = run.world.context(() => run.model.now, run.world.database.db as Database)
  const results = await Promise.all(isDone.map(() => purchaseSpins(context, { ...askOf(person), request: { count } })))
  const most = affordable < BigInt(tries) ? Number(affordable) : tries
  return { model: [most, isDone.filter(Boolean).length], real: [results.filter(({ ok }) => ok).length, most] }
}

/** The prize of a draw, worked out from the seed that was told afterwards. */
function prizeOf(serverSeed: string): (typeof WHEEL)[number] | undefined {
  const total = WHEEL.reduce((sum, { weight }) => sum + weight, 0)
  const digest = createHmac('sha256', serverSeed).update('my-seed:1:0').digest()
  // A first word above the largest multiple comes once in 300 million draws.
  let ticket = digest.readUInt32BE(0) % total
  return WHEEL.find(({ weight }) => (ticket -= weight) < 0)
}

async function givePrize(run: Run, person: Person, spin: Spin): Promise<void> {
  const won = prizeOf(spin.server_seed)
  if (won?.type === 'money') grant(run.model, person, BigInt(won.amount))
  if (won?.type === 'reroll') person.rerolls += 1
  if (won?.type !== 'coupon' && won?.type !== 'server') return
  const isServer = won.type === 'server'
  run.coupons.push({
    code: spin.coupon_code ?? '',
    percent: isServer ? 100 : won.amount,
    forints: 0n,
    once: true,
    most: 1,
    prize: { owner: person, until: run.model.now + MONTH, packageOnly: isServer },
    uses: [],
  })
}

type Spin = { source: string; type: string; server_seed: string; coupon_code: string | null }

const spun: Perform = async (run, step) => {
  const person = personOf(run, step)
  const source = takeSpin(person, run.model.now)
  const result = await spinOnce(contextOf(run), person.id)
  if (!result.ok || source === undefined) return { model: source ?? 'NO_SPINS', real: codeOf(result) }
  const [spin] = await run.world.db.query<Spin>(
    'select source, type, server_seed, coupon_code from control.spins where id = $1',
    [result.answer.spinId],
  )
  if (!spin) return { model: source, real: 'no spin' }
  await givePrize(run, person, spin)
  return { model: [source, prizeOf(spin.server_seed)?.type], real: [spin.source, spin.type] }
}

const redeemed: Perform = async (run, step) => {
  const person = personOf(run, step)
  const { code, uses } = run.spinCoupon
  const answer = uses.includes(person) ? 'COUPON_ALREADY_USED' : uses.length >= 2 ? 'COUPON_USED_UP' : 'ok'
  if (answer === 'ok') {
    uses.push(person)
    person.granted += 3
  }
  return { model: answer, real: codeOf(await redeemCoupon(contextOf(run), { caller: callerOf(person.id), code })) }
}

/** I4: a call under its key once more, and two at once. Nothing but the stored answer comes of it. */
const repeated: Perform = async (run, step) => {
  const call = pickOf(run.keyed, step)
  if (!call) return NOTHING
  const results = [await call.again(false), await call.again(false)]
  const answers = results.map((result) => (result.ok ? call.answer : result.code))
  // A top-up answers the next step of a payment, which the payment may be beyond.
  const isMoved = results.every(({ code }) => code === 'METHOD_NOT_AVAILABLE')
  return { model: isMoved ? 'moved' : [call.answer, call.answer], real: isMoved ? 'moved' : answers }
}

/** I5: the same key with another request. */
const mistaken: Perform = async (run, step) => {
  const call = pickOf(run.keyed, step)
  if (!call) return NOTHING
  return { model: 'IDEMPOTENCY_MISMATCH', real: codeOf(await call.again(true)) }
}

const TAMPERING = [
  'update control.ledger_entries set amount_minor = amount_minor + 1',
  'delete from control.ledger_entries',
  'update control.ledger_accounts set balance_minor = balance_minor + 1',
  `insert into control.ledger_entries (account_id, seq, tx_id, currency, amount_minor, balance_after)
   select account_id, seq + 100000, tx_id, currency, amount_minor, balance_after from control.ledger_entries limit 1`,
  'delete from control.ledger_transactions',
  'update control.invoices set gross_ft = 1',
]

/** I10: the program's own role changes nothing behind the ledger's functions. */
const tampered: Perform = async (run, step) => {
  const statement = pickOf(TAMPERING, step) ?? ''
  const outcome = await run.world.db.query(statement).then(
    () => 'done',
    () => 'refused',
  )
  return { model: 'refused', real: outcome }
}

export const PRIZE_STEPS = {
  premiumBought,
  spinsBought,
  spinsAtOnce,
  spun,
  redeemed,
  repeated,
  mistaken,
  tampered,
} satisfies Record<string, Perform>
