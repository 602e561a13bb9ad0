import type { Locale } from '#contracts/locale.ts'
import { lifetimePhase } from '#domain/billing/lifetime.ts'
import { add, type Money } from '#domain/billing/money.ts'
import { nextLookMs } from '#domain/billing/next-look.ts'
import { isPlanPaid, planAfterRenewal } from '#domain/billing/package-change.ts'
import { decideAutoRenewal } from '#domain/billing/renewal.ts'
import { chargesBefore } from '#domain/billing/runway.ts'
import { assertNever } from '#domain/kernel/assert.ts'
import { missingFor, spendable } from '../wallet/debt.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import { applyDuePlan } from '../modification/apply-plan.ts'
import { noteLock } from '../ledger/lock-order.ts'
import { readRenewable, type RenewableRow } from '../paid-time/lock-renewable.ts'
import { isPassing } from '#platform/postgres/sql-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readRenewingByItself } from '../renewals/renewing-by-itself.ts'
import { writeRenewal } from '../renewals/write-renewal.ts'
import { taxOfCustomer } from '../tax/tax-of-sale.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import { requestDeletion, setDesiredPower } from '../../servers/store/server-store.ts'
import type { LifetimeContext } from './lifetime-context.ts'
import { isFirst } from '../paid-time/lifetime-notices.ts'
import { remind, type Told } from './remind.ts'

/** Nobody asked for it. */
const BY_TIMER = { doneBy: 'system', way: 'timer' } as const

/**
 * Handles the due steps of one server, in one transaction on its locked row: renews, reminds, stops or deletes it.
 * Idempotent. Returns whether every step succeeded.
 */
export async function lookAtServer(context: LifetimeContext, serverId: string): Promise<boolean> {
  const requestId = `lifetime:${serverId}`
  const isDone = await context.db.transaction(async (tx) => {
    // Overlapping runs are possible: a server that the other run has handled is no longer due. The second statement
    // reads the row that the first has locked.
    const [isDue, found] = await Promise.all([lockDue(tx, serverId, context.clock.now()), readRenewable(tx, serverId)])
    if (!isDue) return true
    await context.faults('lifetime.locked')
    if (!found) return true
    const { server, hasFailed, isNoted } = found.isBeingOrdered
      ? { server: found, hasFailed: false, isNoted: false }
      : await act(tx, context, { server: await inDuePackage(tx, context, { server: found, requestId }), requestId })
    await context.faults('lifetime.acted')
    if (!isNoted) await noteLook(tx, context, { server, hasFailed })
    await context.faults('lifetime.looked')
    return !hasFailed
  })
  await context.faults('lifetime.committed')
  return isDone
}

/** The server in its planned package, if that is due. */
async function inDuePackage(tx: Sql, context: LifetimeContext, told: Told): Promise<RenewableRow> {
  const isChanged = await applyDuePlan(tx, context, told)
  return (isChanged ? await readRenewable(tx, told.server.id) : undefined) ?? told.server
}

async function lockDue(tx: Sql, serverId: string, nowMs: number): Promise<boolean> {
  noteLock(tx, 'server', serverId)
  const due = await tx.query(
    `select 1 from control.servers where id = $1 and (lifetime_due_at is null or lifetime_due_at <= $2) for no key update`,
    [serverId, new Date(nowMs)],
  )
  return due.length === 1
}

/** Stores when the server is due again. A failed step is retried in the next run. */
async function noteLook(
  tx: Sql,
  { clock }: LifetimeContext,
  { server, hasFailed }: { server: RenewableRow; hasFailed: boolean },
): Promise<void> {
  const { id, expiresAtMs, autoRenew } = server
  const changesAtMs = isPlanPaid(server) ? server.plan?.fromMs : undefined
  const due = hasFailed ? null : new Date(nextLookMs({ expiresAtMs, autoRenew, nowMs: clock.now(), changesAtMs }))
  await tx.query('update control.servers set lifetime_due_at = $2 where id = $1', [id, due])
}

/** `isNoted`: the next due time is already stored. */
type Acted = { readonly hasFailed: boolean; readonly isNoted: boolean; readonly server: RenewableRow }
type Renewed = Acted & { readonly isPaid: boolean }

/**
 * A failed renewal is rolled back alone: its owner gets the usual reminders and the notice of expiry, and the next run
 * retries it. Conflicts with concurrent transactions are not failures: the whole step is repeated.
 */
async function renewOrGoOn(tx: Sql, context: LifetimeContext, told: Told): Promise<Renewed> {
  const { server } = told
  if (!server.autoRenew) return { isPaid: false, hasFailed: false, isNoted: false, server }
  try {
    // It is sent together with the next statement.
    const [, renewed] = await Promise.all([tx.query('savepoint renewal'), renewByItself(tx, context, told)])
    return { ...renewed, hasFailed: false }
  } catch (error) {
    if (isPassing(error)) throw error
    await tx.query('rollback to savepoint renewal')
    context.log.error({ serverId: server.id, reason: String(error) }, 'a server could not be renewed by itself')
    return { isPaid: false, hasFailed: true, isNoted: false, server }
  }
}

async function act(tx: Sql, context: LifetimeContext, told: Told): Promise<Acted> {
  const { isPaid, hasFailed, isNoted, server } = await renewOrGoOn(tx, context, told)
  const now = { ...told, server }
  const phase = lifetimePhase(server.expiresAtMs, context.clock.now(), server.toldAtMs)
  switch (phase) {
    case 'active':
      // An owner with automatic renewal and enough money has nothing to do.
      if (!isPaid) await remind(tx, context, now)
      break
    case 'expired':
      await (hasFailed ? keepUnrenewed(tx, context, now) : expire(tx, context, now))
      break
    case 'to-delete':
      await (hasFailed ? keepUnrenewed(tx, context, now) : deleteExpired(tx, context, now))
      break
    default:
      assertNever(phase)
  }
  return { server, hasFailed, isNoted }
}

/** Renews for a month if the owner has automatic renewal. `isPaid`: the money is available, now or on the day. */
async function renewByItself(
  tx: Sql,
  context: LifetimeContext,
  { server, requestId }: Told,
): Promise<Omit<Renewed, 'hasFailed'>> {
  const { ownerId: userId } = server
  const ledger = context.ledgerOn(tx)
  const nowMs = context.clock.now()
  const [available, discountPercent, renewing, person, tax] = await Promise.all([
    spendable(ledger, userId),
    premiumPercentOf(tx, { userId, nowMs }),
    readRenewingByItself(tx, userId),
    readPerson(tx, userId),
    taxOfCustomer(tx, { userId, atMs: nowMs }),
  ])
  const promised = chargesBefore(server, renewing, { nowMs, discountPercent })
  const wish = { server, months: 1, nowMs, available, discountPercent, promised }
  const decided = decideAutoRenewal({ ...wish, isOn: server.autoRenew })
  if (decided.act === 'nothing') return { isPaid: decided.why === 'not-yet' && decided.isPaid, isNoted: false, server }
  if (decided.act === 'tell') {
    const missing = await missingFor(ledger, userId, add(decided.missing, available))
    await tellMissing(tx, context, { told: { server, requestId }, missing })
    return { isPaid: false, isNoted: false, server }
  }
  const { renewal } = decided
  const locale: Locale = person?.language ?? 'en'
  const { startMs, endMs: expiresAtMs } = renewal.period
  const renewed = { ...server, expiresAtMs, plan: planAfterRenewal(server, startMs) }
  const besides = () => noteLook(tx, context, { server: renewed, hasFailed: false })
  const wanted = { server, renewal, address: undefined, locale, requestId, tax, besides }
  const result = await writeRenewal(tx, context, wanted)
  if (result.ok) return { isPaid: true, isNoted: true, server: renewed }
  await tellMissing(tx, context, { told: { server, requestId }, missing: result.missing })
  return { isPaid: false, isNoted: false, server }
}

async function tellMissing(
  tx: Sql,
  context: LifetimeContext,
  { told: { server, requestId }, missing }: { told: Told; missing: Money },
): Promise<void> {
  const { id: serverId, expiresAtMs, ownerId: userId, name } = server
  if (!(await isFirst(tx, context, { serverId, kind: 'renewal-missing', expiresAtMs }))) return
  const data = { sid: serverId, name, amount: Number(missing.minor) }
  await notifyUser(tx, context, { userId, text: 'renewal.missing', data, requestId })
  await recordActivity(tx, context, { userId, serverId, ...BY_TIMER, type: 'server.auto-renewed', status: 'failure' })
}

/** The paid time has ended: the server stops, and is kept for 72 h. */
async function expire(tx: Sql, context: LifetimeContext, told: Told): Promise<void> {
  const { id: serverId, expiresAtMs } = told.server
  if (await isFirst(tx, context, { serverId, kind: 'expired', expiresAtMs })) await stopExpired(tx, context, told)
}

/**
 * The paid time has ended, and its automatic renewal fails on our side: the server stops like any other, but its 72 h
 * do not run. They begin, with another notice to the owner, at the first check without a failure and without a renewal.
 */
async function keepUnrenewed(tx: Sql, context: LifetimeContext, told: Told): Promise<void> {
  const { id: serverId, ownerId: userId, expiresAtMs } = told.server
  context.log.error({ serverId, expiresAtMs }, 'an expired server is kept, because it could not be renewed')
  const begun = await tx.query(
    `delete from control.lifetime_notices where server_id = $1 and kind = 'expired' and period = $2 returning 1`,
    [serverId, new Date(expiresAtMs)],
  )
  if (!(await isFirst(tx, context, { serverId, kind: 'renewal-failed', expiresAtMs }))) return
  await recordActivity(tx, context, { userId, serverId, ...BY_TIMER, type: 'server.auto-renewed', status: 'failure' })
  if (begun.length === 0) await stopExpired(tx, context, told)
}

async function stopExpired(tx: Sql, context: LifetimeContext, { server, requestId }: Told): Promise<void> {
  const { id: serverId, ownerId: userId, name, product, isTest } = server
  if (server.desiredPower === 'running') {
    await setDesiredPower(tx, serverId, 'stopped')
    await tx.query('update control.servers set stopped_by_expiry = true where id = $1', [serverId])
  }
  const locale: Locale = (await readPerson(tx, userId))?.language ?? 'en'
  const data = { sid: serverId, name, product: product[locale], ...(isTest ? { isTest } : {}) }
  await notifyUser(tx, context, { userId, text: 'server.expired', data, requestId })
  await recordActivity(tx, context, { userId, serverId, ...BY_TIMER, type: 'server.expired', status: 'success' })
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
}

/** It was not renewed within 72 h: its node is ordered to delete it, repeatedly if necessary. */
async function deleteExpired(tx: Sql, context: LifetimeContext, { server, requestId }: Told): Promise<void> {
  const { id: serverId, ownerId: userId } = server
  await requestDeletion(tx, serverId)
  await recordActivity(tx, context, {
    userId,
    serverId,
    ...BY_TIMER,
    type: 'server.expired-deleted',
    status: 'success',
  })
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
}
