import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '#platform/postgres/database.ts'

/**
 * The one order in which a transaction locks what money depends on, so that two never wait for one another in a circle. A posting locks
 * the customer's accounts (`wallet`) and then those of the house; the series of an invoice's numbers comes last of all.
 */
const LOCK_ORDER = ['person', 'server', 'premium', 'coupon', 'spins', 'wallet'] as const
type Locked = (typeof LOCK_ORDER)[number]

/** What a transaction holds so far: the place of the last lock, and every lock by its name. */
type Taken = { place: number; readonly held: Set<string> }
const takenBy = new WeakMap<Sql, Taken>()

/**
 * Notes a lock that a statement of its own takes, such as a posting. Throws AssertionFailure where a later one is held already; a lock
 * that is held may be taken again.
 */
export function noteLock(tx: Sql, locked: Locked, id: string): void {
  const taken = takenBy.get(tx) ?? { place: 0, held: new Set<string>() }
  takenBy.set(tx, taken)
  const name = `${locked} ${id}`
  if (taken.held.has(name)) return
  const place = LOCK_ORDER.indexOf(locked)
  const last = LOCK_ORDER[taken.place] ?? ''
  assert(place >= taken.place, `The lock of ${locked} comes before that of ${last}.`)
  taken.place = place
  taken.held.add(name)
}

/** What a sale, or what gives something of it back, locks. Everything is the id of a row. */
export type MoneyLocks = {
  /** A customer whom nobody may erase meanwhile; an erasure that is under way has ended when the lock is taken. */
  readonly person?: string
  /** A server that nobody renews, changes, stops or deletes meanwhile. */
  readonly server?: string
  /** A customer whose premium tier nobody buys or withdraws from meanwhile: `alone` for those two, `shared` for a sale it makes cheaper. */
  readonly premium?: { readonly userId: string; readonly as: 'alone' | 'shared' }
  /** A coupon whose uses are counted. */
  readonly coupon?: { readonly of: 'order' | 'spins'; readonly id: string }
  /** A customer whose account of spins nobody changes meanwhile; the account is made where there is none. */
  readonly spins?: string
  /** A customer whose money, bonus and debt nobody moves meanwhile. */
  readonly wallet?: string
}

/** Takes the locks until the transaction ends, in the one order. Rows are read by a statement after it, which sees what others have committed. */
export async function lockInOrder(tx: Sql, locks: MoneyLocks): Promise<void> {
  const { person, server, premium, coupon, spins, wallet } = locks
  if (person !== undefined) {
    noteLock(tx, 'person', person)
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`erase ${person}`])
  }
  if (server !== undefined) {
    noteLock(tx, 'server', server)
    await tx.query('select 1 from control.servers where id = $1 for no key update', [server])
  }
  if (premium !== undefined) {
    noteLock(tx, 'premium', premium.userId)
    const lock = premium.as === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'
    await tx.query(`select ${lock}(hashtextextended($1, 727))`, [`premium:${premium.userId}`])
  }
  if (coupon !== undefined) {
    noteLock(tx, 'coupon', coupon.id)
    const name = coupon.of === 'order' ? `coupon:${coupon.id}` : `spin-coupon:${coupon.id}`
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 727))', [name])
  }
  if (spins !== undefined) {
    noteLock(tx, 'spins', spins)
    await tx.query('insert into control.spin_accounts (user_id) values ($1) on conflict do nothing', [spins])
    await tx.query('select 1 from control.spin_accounts where user_id = $1 for update', [spins])
  }
  if (wallet !== undefined) {
    noteLock(tx, 'wallet', wallet)
    await tx.query('select control.ledger_lock_customer($1, $2)', [wallet, 'HUF'])
  }
}
