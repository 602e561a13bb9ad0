import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import {
  CHARGEBACK_FAULTS,
  DISPUTE_WON_FAULTS,
  REFUND_RETURNED_FAULTS,
  type PaymentContext,
} from '../../../control-plane/money/payments/payment-context.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { refundServer, SERVER_REFUND_FAULTS } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { WRITE_OFF_FAULTS, writeOffDebt } from '../../../control-plane/money/staff/write-off-debt.ts'
import { convertServer, CONVERSION_FAULTS } from '../../../control-plane/money/conversion/convert-server.ts'
import {
  reverseConversions,
  REJECTED_CONVERSION_FAULTS,
} from '../../../control-plane/money/conversion/reverse-conversion.ts'
import { INVOICE_FAULTS } from '../../../control-plane/money/invoices/issue-invoice.ts'
import { grantTestServer } from '../../../control-plane/money/lifetime/grant-test-server.ts'
import { LIFETIME_FAULTS, type LifetimeContext } from '../../../control-plane/money/lifetime/lifetime-context.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { MODIFICATION_FAULTS, modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { revertRejected, REJECTED_SIZE_FAULTS } from '../../../control-plane/money/modification/revert-rejected.ts'
import { PLACE_ORDER_FAULTS, SETTLE_ORDER_FAULTS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { BUY_PREMIUM_FAULTS, purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { RENEWAL_FAULTS } from '../../../control-plane/money/renewals/write-renewal.ts'
import { BUY_SPINS_FAULTS, purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import { SPIN_FAULTS } from '../../../control-plane/money/wheel/spin.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { spinOnce } from '../../factories/prizes.ts'
import { refusedUpdate } from '../../factories/refused-update.ts'
import { callerOf, type Shop } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

const START_MS = Date.UTC(2026, 5, 1)
const DAY = 86_400_000
export const SMALL = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
export const LARGE = { cpuPercent: 200, ramMiB: 2048, storageMiB: 1024 }

/** Whom it is about, and what the bank says by now; as JSON it goes to another process. */
export type Subject = {
  readonly userId: string
  readonly key: string
  readonly shop: Shop
  readonly serverId?: string
  readonly paymentId?: string
  readonly dispute?: Dispute
  /** A refund of ours of 2000 Ft that the customer's bank sent back. */
  readonly returned?: string
}
export type Scene = PaymentContext & LifetimeContext
type Result = { readonly ok: boolean; readonly code?: string }

/** Something that moves money, told so that it can be made ready for a person, done, and done again under the same key. */
export type Scenario = {
  readonly faults: readonly string[]
  /** The points after the commit: the money has moved. */
  readonly afterwards: readonly string[]
  /** The balance that somebody has besides; plenty where nothing is said. */
  readonly creditFt?: bigint
  prepare(scene: Scene, subject: Subject): Promise<Subject>
  act(scene: Scene, subject: Subject): Promise<Result>
}

export function sceneOn(
  db: Database,
  subject: Pick<Subject, 'dispute' | 'returned'>,
  { faults = async () => {}, nowMs = START_MS }: { faults?: FaultPoint; nowMs?: number } = {},
): Scene {
  const provider = toldProvider({
    id: 'stripe',
    capabilities: { ...toldProvider().capabilities, refunds: 'partial' },
    open: ({ paymentId }) =>
      Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next: { kind: 'redirect', url: 'https://pay.test/' } }),
    fetchState: ({ paymentId }) => {
      const { dispute = 'none', returned: refundId } = subject
      const seen = { reference: paymentId, amount: observedAmount(forints(5000n)), dispute }
      if (refundId === undefined) return Promise.resolve(observation(seen))
      const refunds = [{ id: `re_${refundId}`, refundId, minor: 2000n, state: 'failed' as const }]
      return Promise.resolve(observation({ ...seen, refunds }))
    },
    refund: ({ refundId }) =>
      Promise.resolve({ state: 'succeeded', providerRefundId: `re_${refundId}`, failureCode: null }),
  })
  const options = { now: () => nowMs, faults }
  const providers = { all: [provider], find: () => provider }
  return { ...lifetimeContext(db, options), ...paymentContext(db, { ...options, providers }) }
}

const askOf = ({ userId, key }: Subject) => ({ caller: callerOf(userId), requestId: key, idempotencyKey: key })
const done = { ok: true } as const
const nothingFirst = (_scene: Scene, subject: Subject) => Promise.resolve(subject)

async function topUp(scene: Scene, subject: Subject): Promise<Subject> {
  const command = topUpCommand(subject.userId, { method: 'stripe', amount: 5000 })
  const started = await startTopUp(scene, command)
  if (!started.ok) throw new Error(started.code)
  const [row] = await scene.db.query<{ id: string }>('select id from control.payments where user_id = $1', [
    subject.userId,
  ])
  const paymentId = row?.id ?? ''
  await checkPayment(scene, paymentId)
  return { ...subject, paymentId }
}

const orderOf = (subject: Subject, sized: boolean) => {
  const { serviceId, packageId } = subject.shop
  const what = sized ? { serviceId, resources: SMALL } : { serviceId, packageId }
  return { ...askOf(subject), request: { ...what, months: 1, name: 'S' } }
}

async function ordered(scene: Scene, subject: Subject, sized = false): Promise<Subject> {
  const placed = await placeOrder(scene, { ...orderOf(subject, sized), idempotencyKey: systemIds.next() })
  if (!placed.ok) throw new Error(placed.code)
  return { ...subject, serverId: placed.answer.serverId }
}

async function installed(scene: Scene, subject: Subject, sized = false): Promise<Subject> {
  const { serverId = '' } = await ordered(scene, subject, sized)
  await settleOrder(scene, { serverId, outcome: 'installed', reason: '' })
  return { ...subject, serverId }
}

/** A test server of the smallest size, which runs. */
async function tested(scene: Scene, subject: Subject): Promise<Subject> {
  const { userId, shop } = subject
  const granted = await grantTestServer(scene, {
    caller: { ...callerOf(systemIds.next()), isSupport: true },
    wanted: { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
    requestId: systemIds.next(),
  })
  if (!granted.ok) throw new Error(granted.code)
  const { serverId } = granted
  await settleOrder(scene, { serverId, outcome: 'installed', reason: '' })
  return { ...subject, serverId }
}

const convert = (scene: Scene, subject: Subject): Promise<Result> =>
  convertServer(scene, {
    ...askOf(subject),
    serverId: subject.serverId ?? '',
    request: { resources: LARGE, months: 1 },
  })

const settling = (outcome: 'installed' | 'failed'): Scenario => ({
  // An order that was not delivered is not invoiced.
  faults: SETTLE_ORDER_FAULTS.filter((point) => outcome === 'installed' || point !== 'order-settle.invoiced'),
  afterwards: ['order-settle.committed'],
  prepare: (scene, subject) => ordered(scene, subject),
  act: (scene, { serverId = '' }) => settleOrder(scene, { serverId, outcome, reason: 'r' }).then(() => done),
})

const look = (scene: Scene, { paymentId = '' }: Subject): Promise<Result> =>
  checkPayment(scene, paymentId, { evenSettled: true }).then(() => done)

const spent = async (scene: Scene, subject: Subject): Promise<Subject> => {
  const paid = await topUp(scene, subject)
  await installed(scene, paid)
  return paid
}

const owing = async (scene: Scene, subject: Subject): Promise<Subject> => {
  const paid = { ...(await spent(scene, subject)), dispute: 'lost' as const }
  await look(sceneOn(scene.db, paid), paid)
  return paid
}

const sentBack = async (scene: Scene, subject: Subject): Promise<Subject> => {
  const paid = await topUp(scene, subject)
  const refund = await refundPayment(scene, {
    staffId: subject.userId,
    paymentId: paid.paymentId ?? '',
    amountFt: 2000,
    reason: 'The customer withdrew.',
    requestId: subject.key,
    idempotencyKey: systemIds.next(),
  })
  if (!refund.ok) throw new Error(refund.code)
  return { ...paid, returned: refund.refundId }
}

const premium = (scene: Scene, subject: Subject): Promise<Result> =>
  purchasePremium(scene, { ...askOf(subject), request: { tier: 'ultimus' } })

export const SCENARIOS: Record<string, Scenario> = {
  order: {
    faults: PLACE_ORDER_FAULTS,
    afterwards: ['order.committed'],
    prepare: nothingFirst,
    act: (scene, subject) => placeOrder(scene, orderOf(subject, false)),
  },
  'order that is installed': settling('installed'),
  'order that fails': settling('failed'),
  renewal: {
    faults: RENEWAL_FAULTS,
    afterwards: ['renewal.committed'],
    prepare: (scene, subject) => installed(scene, subject),
    act: (scene, subject) =>
      renewServer(scene, { ...askOf(subject), serverId: subject.serverId ?? '', request: { months: 2 } }),
  },
  'larger server': {
    faults: MODIFICATION_FAULTS,
    afterwards: ['modification.committed'],
    prepare: (scene, subject) => installed(scene, subject, true),
    act: (scene, subject) =>
      modifyServer(scene, { ...askOf(subject), serverId: subject.serverId ?? '', request: { resources: LARGE } }),
  },
  'smaller server': {
    faults: MODIFICATION_FAULTS,
    afterwards: ['modification.committed'],
    prepare: async (scene, subject) => {
      const there = await installed(scene, subject, true)
      const larger = { ...askOf(there), idempotencyKey: systemIds.next(), serverId: there.serverId ?? '' }
      await modifyServer(scene, { ...larger, request: { resources: LARGE } })
      return there
    },
    act: (scene, subject) =>
      modifyServer(scene, { ...askOf(subject), serverId: subject.serverId ?? '', request: { resources: SMALL } }),
  },
  'size that its node refuses': {
    faults: REJECTED_SIZE_FAULTS,
    afterwards: ['rejected-size.committed'],
    prepare: async (scene, subject) => {
      const there = await installed(scene, subject, true)
      const { serverId = '' } = there
      await modifyServer(scene, { ...askOf(there), serverId, request: { resources: LARGE } })
      await refusedUpdate(scene, { serverId, nodeId: there.shop.nodeId })
      return there
    },
    act: async (scene) => {
      const { failed } = await revertRejected(scene)
      return failed > 0 ? { ok: false, code: 'FAILED' } : done
    },
  },
  'test server that is bought': {
    faults: CONVERSION_FAULTS,
    afterwards: ['conversion.committed'],
    prepare: tested,
    act: convert,
  },
  'bought size that its node refuses': {
    faults: REJECTED_CONVERSION_FAULTS,
    afterwards: ['rejected-conversion.committed'],
    prepare: async (scene, subject) => {
      const there = await tested(scene, subject)
      const { serverId = '' } = there
      await convert(scene, { ...there, key: systemIds.next() })
      await refusedUpdate(scene, { serverId, nodeId: there.shop.nodeId })
      return there
    },
    act: async (scene) => {
      const { failed } = await reverseConversions(scene)
      return failed > 0 ? { ok: false, code: 'FAILED' } : done
    },
  },
  premium: { faults: BUY_PREMIUM_FAULTS, afterwards: ['premium.committed'], prepare: nothingFirst, act: premium },
  invoice: { faults: INVOICE_FAULTS, afterwards: [], prepare: nothingFirst, act: premium },
  'spin of the wheel': {
    faults: SPIN_FAULTS,
    afterwards: ['spin.committed'],
    prepare: nothingFirst,
    // The page repeats a spin with the promise that it was shown, which ends with the draw.
    act: async (scene, { userId, key }) => {
      const result = await spinOnce(scene, userId, key)
      return !result.ok && result.code === 'IDEMPOTENCY_MISMATCH' ? done : result
    },
  },
  spins: {
    faults: BUY_SPINS_FAULTS,
    afterwards: ['spins.committed'],
    prepare: nothingFirst,
    act: (scene, subject) => purchaseSpins(scene, { ...askOf(subject), request: { count: 3 } }),
  },
  'charge-back': {
    faults: CHARGEBACK_FAULTS,
    afterwards: [],
    creditFt: 0n,
    prepare: async (scene, subject) => ({ ...(await spent(scene, subject)), dispute: 'open' }),
    act: look,
  },
  'dispute that is won': {
    faults: DISPUTE_WON_FAULTS,
    afterwards: [],
    creditFt: 0n,
    prepare: async (scene, subject) => ({ ...(await owing(scene, subject)), dispute: 'won' }),
    act: look,
  },
  'refund that comes back': {
    faults: REFUND_RETURNED_FAULTS,
    afterwards: [],
    creditFt: 0n,
    prepare: sentBack,
    act: look,
  },
  'refund of a server': {
    faults: SERVER_REFUND_FAULTS,
    afterwards: ['server-refund.committed'],
    prepare: (scene, subject) => installed(scene, subject),
    act: (scene, { userId, key, serverId = '' }) =>
      refundServer(scene, {
        staffId: userId,
        serverId,
        amountFt: undefined,
        reason: 'The node was down.',
        endServer: true,
        requestId: key,
        idempotencyKey: key,
      }),
  },
  'debt that is written off': {
    faults: WRITE_OFF_FAULTS,
    afterwards: ['write-off.committed'],
    creditFt: 0n,
    prepare: owing,
    act: (scene, { userId, key }) =>
      writeOffDebt(scene, { staffId: userId, userId, reason: 'Gone.', requestId: key, idempotencyKey: key }),
  },
  'automatic renewal': {
    faults: LIFETIME_FAULTS,
    afterwards: ['lifetime.committed'],
    prepare: async (scene, subject) => {
      const there = await installed(scene, subject)
      await scene.db.query('update control.servers set auto_renew = true where id = $1', [there.serverId])
      return there
    },
    act: async (scene) => {
      const later = { ...scene, clock: { now: () => START_MS + 29.5 * DAY } }
      const { failed } = await runLifetime(later)
      return failed > 0 ? { ok: false, code: 'FAILED' } : done
    },
  },
}
