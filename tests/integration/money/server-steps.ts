import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { revertRejected } from '../../../control-plane/money/modification/revert-rejected.ts'
import { reconcilePayments } from '../../../control-plane/money/payments/reconcile-payments.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { expireHolds, settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { runPremiumCycle } from '../../../control-plane/money/premium/premium-cycle.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { setAutoRenewal } from '../../../control-plane/money/renewals/set-auto-renewal.ts'
import { refusedUpdate } from '../../factories/refused-update.ts'
import { callerOf } from '../../factories/shop.ts'
import { advanceMemberships, DAY, endRefund, HOUR, settle } from './money-model.ts'
import {
  askOf,
  codeOf,
  contextOf,
  NOTHING,
  personOf,
  pickOf,
  remember,
  serverOf,
  type Perform,
  type Run,
} from './money-run.ts'
import { CHOICES } from './money-world.ts'
import {
  fail,
  install,
  look,
  modify,
  order,
  refuseSize,
  renew,
  renewalAnswer,
  SIZES,
  type Coupon,
} from './server-model.ts'

const HOLD = 2 * HOUR

const ordered: Perform = async (run, step) => {
  const person = personOf(run, step)
  const size = step.size % (SIZES.length + 2)
  const isPackage = size >= SIZES.length
  const months = 1 + (step.pick % 3)
  const coupon = step.pick % 2 === 0 ? pickOf<Coupon>(run.coupons, { ...step, pick: step.pick >> 1 }) : undefined
  const { answer, server } = order(run.model, { person, months, coupon, size: isPackage ? undefined : size })
  const { shop } = run.world
  const what = isPackage ? { packageId: shop.packageId } : { resources: CHOICES[size] as (typeof CHOICES)[number] }
  const request = { serviceId: shop.serviceId, ...what, months, name: 'S', ...(coupon && { couponCode: coupon.code }) }
  const command = { ...askOf(person), request }
  const again = (changed: boolean) =>
    placeOrder(contextOf(run), changed ? { ...command, request: { ...request, name: 'T' } } : command)
  const result = await again(false)
  remember(run, result, again)
  if (result.ok && server) run.servers.push({ ...server, id: result.answer.serverId })
  return { model: answer, real: codeOf(result) }
}

/** An installation ends, and is told more than once; the first outcome stands. */
const settled: Perform = async (run, step) => {
  const person = personOf(run, step)
  const own = run.servers.filter(({ owner }) => owner === person)
  const waiting = own.filter(({ phase }) => phase === 'ordering')
  const server = pickOf(waiting.length > 0 && step.size % 4 !== 3 ? waiting : own, { ...step, pick: step.pick >> 2 })
  if (!server) return NOTHING
  const outcomes = step.pick % 4 === 0 ? (['failed', 'installed'] as const) : (['installed', 'failed'] as const)
  for (const outcome of outcomes) {
    if (outcome === 'installed') install(run.model, server)
    else fail(server)
    await settleOrder(contextOf(run), { serverId: server.id, outcome, reason: 'run' })
  }
  return NOTHING
}

const renewed: Perform = async (run, step) => {
  const server = serverOf(run, step)
  if (!server) return NOTHING
  const months = ([1, 1, 1, 2, 3, 4, 5, 6] as const)[step.pick % 8] ?? 1
  const answer = renewalAnswer(run.model, server, months)
  if (answer === 'ok') renew(run.model, server, months)
  const command = { ...askOf(server.owner), serverId: server.id, request: { months } }
  const again = (changed: boolean) =>
    renewServer(contextOf(run), changed ? { ...command, request: { months: (months % 6) + 1 } } : command)
  const result = await again(false)
  remember(run, result, again)
  return { model: answer, real: codeOf(result) }
}

const modified: Perform = async (run, step) => {
  const person = personOf(run, step)
  // The sizes of a package are the package's, so most wishes are for the others.
  const sized = run.servers.filter(({ owner, isPackage, phase }) => owner === person && !isPackage && phase === 'there')
  const server = pickOf(step.pick % 4 === 0 ? [] : sized, step) ?? serverOf(run, step)
  if (!server) return NOTHING
  const size = step.size % SIZES.length
  const answer = modify(run.model, server, size)
  const command = { ...askOf(server.owner), serverId: server.id }
  const again = (changed: boolean) => {
    const resources = CHOICES[changed ? (size + 1) % SIZES.length : size] as (typeof CHOICES)[number]
    return modifyServer(contextOf(run), { ...command, request: { resources } })
  }
  const result = await again(false)
  remember(run, result, again)
  return { model: answer, real: codeOf(result) }
}

/** A server's node refuses the newest size, and the run over such sizes looks twice: the second time there is no new refusal. */
const sizeRefused: Perform = async (run, step) => {
  const person = personOf(run, step)
  const changed = run.servers.filter(
    ({ owner, changes, phase }) => owner === person && changes.length > 0 && phase === 'there',
  )
  const server = pickOf(changed, step)
  if (!server) return NOTHING
  refuseSize(run.model, server)
  const context = contextOf(run)
  const { owner } = run.world.database
  await refusedUpdate(context, { serverId: server.id, nodeId: run.world.shop.nodeId })
  const { failed } = await revertRejected(context)
  await owner.query('delete from control.commands where server_id = $1', [server.id])
  const again = await revertRejected(context)
  return { model: 0, real: failed + again.failed + again.reversed }
}

const automatic: Perform = async (run, step) => {
  const server = serverOf(run, step)
  if (!server) return NOTHING
  const enabled = step.size % 4 !== 0
  const model = server.phase === 'gone' ? 'NOT_FOUND' : 'ok'
  if (server.phase !== 'gone') server.auto = enabled
  const wish = { caller: callerOf(server.owner.id), serverId: server.id, enabled }
  return { model, real: codeOf(await setAutoRenewal(contextOf(run), wish)) }
}

/** Everything that is looked at by itself is due: what a bank knows, what waits too long, what time asks for. */
async function makeDue(run: Run): Promise<void> {
  const { owner } = run.world.database
  const ids = run.model.people.map(({ id }) => id)
  const now = new Date(run.model.now)
  await owner.query('update control.servers set lifetime_due_at = null where owner_id = any($1)', [ids])
  for (const table of ['payments', 'refunds']) {
    await owner.query(`update control.${table} set next_check_at = $2 where user_id = any($1)`, [ids, now])
  }
}

function passTime(run: Run): void {
  const { model, world } = run
  for (const payment of model.payments) {
    const told = world.told.get(payment.id)
    if (told?.state === 'settled' && told.amountFt === payment.amount) settle(model, payment)
  }
  for (const payment of model.payments) {
    for (const made of payment.refunds) endRefund(model, payment, { made, end: made.later })
  }
  for (const server of run.servers) if (model.now >= server.order.placed + HOLD) fail(server)
  for (const person of model.people) advanceMemberships(person, model.now)
  for (const server of run.servers) look(model, server)
}

/** A run takes so many of each provider, and the next one those that it left. */
async function lookAtAllDue(context: ReturnType<typeof contextOf>): Promise<void> {
  for (let run = 0; run < 10 && (await reconcilePayments(context)) > 0; run += 1);
}

/** Hours or days go by, and then every run over what is due runs, twice. */
const timePassed: Perform = async (run, step) => {
  run.model.now += step.pick % 3 === 0 ? (1 + (step.size % 8)) * DAY : (1 + (step.size % 20)) * HOUR
  passTime(run)
  await makeDue(run)
  const context = contextOf(run)
  await lookAtAllDue(context)
  await expireHolds(context)
  await runPremiumCycle(context)
  await makeDue(run)
  const { failed } = await runLifetime(context)
  return { model: 0, real: failed }
}

export const SERVER_STEPS = {
  ordered,
  settled,
  renewed,
  modified,
  sizeRefused,
  automatic,
  timePassed,
} satisfies Record<string, Perform>
