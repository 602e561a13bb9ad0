import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import type { LifetimeContext } from '../../../control-plane/money/lifetime/lifetime-context.ts'
import type { PaymentContext } from '../../../control-plane/money/payments/payment-context.ts'
import type {
  ObservedPayment,
  ObservedRefund,
  PaymentProvider,
} from '../../../control-plane/money/payments/payment-provider.ts'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { APPLICATION_ROLE, type ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { openShop, shopDatabase, type Shop } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'
import type { Coupon, SIZES } from './server-model.ts'

/** The payment as the bank of the world has it; the use cases learn it when they ask. */
export type Told = { state: ObservedPayment['state']; amountFt: bigint; dispute: Dispute }
export type RefundPlan = { first: ObservedRefund['state']; later: 'succeeded' | 'failed' }

export type World = {
  readonly database: ControlDatabase
  /** One connection: what runs at once in production comes here in the order in which it asked. */
  readonly db: Database
  readonly shop: Shop
  readonly told: Map<string, Told>
  /** The amount of the provider's next refund, and the outcome of those so far. */
  plan: RefundPlan
  readonly plans: Map<string, RefundPlan & { paymentId: string; amountFt: bigint; asked: number }>
  readonly provider: PaymentProvider
  /** As the use cases are given the outside world; `db` is another one where they are to meet one another. */
  context(now: () => number, db?: Database): PaymentContext & LifetimeContext
  close(): Promise<void>
}

export const WHEEL = [
  prize('money', 300, 3),
  prize('coupon', 20, 2),
  prize('server', 0, 1),
  prize('reroll', 0, 2),
  prize('nothing', 0, 4),
]

const RESOURCES = {
  cpuPercent: { minimum: 100, maximum: 400, step: 100, unitPriceFt: 1000 },
  ramMiB: { minimum: 1024, maximum: 8192, step: 1024, unitPriceFt: 500 },
  storageMiB: { minimum: 1024, maximum: 8192, step: 1024, unitPriceFt: 0 },
}
/** The resources of each of the model's sizes. */
export const CHOICES = [
  { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 },
  { cpuPercent: 200, ramMiB: 1024, storageMiB: 1024 },
  { cpuPercent: 200, ramMiB: 2048, storageMiB: 1024 },
  { cpuPercent: 400, ramMiB: 3072, storageMiB: 2048 },
] as const satisfies Record<number, object> & { length: (typeof SIZES)['length'] }

function bankOf(world: Pick<World, 'told' | 'plans'> & { plan: RefundPlan }): PaymentProvider {
  const capabilities = { ...toldProvider().capabilities, refunds: 'partial' as const }
  // By our own name of each, as every provider does that sends money back.
  const sent = (paymentId: string) =>
    [...world.plans]
      .filter(([, plan]) => plan.paymentId === paymentId && stateOf(plan) === 'succeeded')
      .map(([refundId, { amountFt: minor }]) => ({
        id: `re_${refundId}`,
        refundId,
        minor,
        state: 'succeeded' as const,
      }))
  return toldProvider({
    id: 'stripe',
    capabilities,
    open: ({ paymentId, amount }) => {
      world.told.set(paymentId, { state: 'pending', amountFt: amount.minor, dispute: 'none' })
      return Promise.resolve({
        providerPaymentId: `pi_${paymentId}`,
        next: { kind: 'redirect', url: 'https://pay.test/' },
      })
    },
    fetchState: ({ paymentId }) => {
      const told = world.told.get(paymentId)
      if (!told) return Promise.resolve(null)
      const { state, dispute, amountFt } = told
      const amount = observedAmount(forints(amountFt))
      return Promise.resolve(observation({ state, dispute, amount, reference: paymentId, refunds: sent(paymentId) }))
    },
    refund: ({ refundId, paymentId, amount }) => {
      const known = world.plans.get(refundId) ?? { ...world.plan, paymentId, amountFt: amount.minor, asked: 0 }
      known.asked += 1
      world.plans.set(refundId, known)
      return Promise.resolve({ state: stateOf(known), providerRefundId: `re_${refundId}`, failureCode: null })
    },
  })
}

const stateOf = ({ first, later, asked }: RefundPlan & { asked: number }): ObservedRefund['state'] =>
  first === 'pending' && asked > 1 ? later : first

/** A shop, a wheel, tiers and a bank on a database of its own. */
export async function openWorld(): Promise<World> {
  const database = await shopDatabase(12)
  const { owner } = database
  const shop = await openShop(owner, { portCount: 39_000, memoryMiB: 2_000_000_000 })
  await owner.query('update cms_api.services set resources = $1', [JSON.stringify(RESOURCES)])
  await owner.query(`update cms_api.premium_tiers set days = 60 where tier = 'maximus'`)
  // No refund of a run waits for an approver.
  await owner.query('update cms_api.money_settings set manual_credit_limit_ft = 2000000000')
  await owner.query(`update cms_api.computers set storage_mib = 2000000000`)
  await owner.query(`update control.agent_sessions set renewed_at = '2200-01-01'`)
  await setWheel(owner, WHEEL, { packageId: shop.packageId })
  const db = openPostgres({ url: database.url, applicationName: 'model', maxConnections: 1, role: APPLICATION_ROLE })
  const bank = { told: new Map(), plans: new Map(), plan: { first: 'succeeded', later: 'succeeded' } as RefundPlan }
  const provider = bankOf(bank)
  const providers = { all: [provider], find: () => provider }
  return Object.assign(bank, {
    database,
    db,
    shop,
    provider,
    context: (now: () => number, on: Database = db) => ({
      ...lifetimeContext(on, { now }),
      ...paymentContext(on, { now, providers }),
    }),
    close: async () => {
      await db.close()
      await database.close()
    },
  })
}

/** Coupons of one run: their uses are counted from none. */
export async function issueCoupons(world: World, mark: string): Promise<Coupon[]> {
  const made: Coupon[] = [
    { code: `SAVE-${mark}`, percent: 33, forints: 0n, once: false, most: 6, prize: undefined, uses: [] },
    { code: `ONCE-${mark}`, percent: 0, forints: 500n, once: true, most: 100, prize: undefined, uses: [] },
    { code: `GIFT-${mark}`, percent: 100, forints: 0n, once: true, most: 2, prize: undefined, uses: [] },
  ]
  for (const { code, percent, forints: off, once, most } of made) {
    await world.database.owner.query(
      `insert into cms_api.coupons (id, name, code, type, amount, maximum_usage, usage)
       values (gen_random_uuid(), $1, $1, $2, $3, $4, $5)`,
      [
        code,
        percent > 0 ? 'percentage' : 'forint',
        percent > 0 ? percent : Number(off),
        most,
        once ? 'once' : 'multiple',
      ],
    )
  }
  await world.database.owner.query(
    'insert into cms_api.spin_coupons (id, code, number_of_uses, spins) values (gen_random_uuid(), $1, 2, 3)',
    [`SPIN-${mark}`],
  )
  return made
}

/** The remains of earlier runs are over: none of them is due in this one. */
export async function retireEarlierRuns(world: World): Promise<void> {
  const { owner } = world.database
  await owner.query(`update control.servers set desired = 'deleted', deleted_at = now() where deleted_at is null`)
  await owner.query('update control.premium_purchases set ended_at = expires_at where ended_at is null')
  await owner.query(`update control.payments set next_check_at = 'infinity' where next_check_at <> 'infinity'`)
  await owner.query(`update control.refunds set next_check_at = 'infinity' where next_check_at <> 'infinity'`)
  await owner.query('update cms_api.coupons set active = false')
}
