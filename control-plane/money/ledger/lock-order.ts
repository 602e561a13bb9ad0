import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '#platform/postgres/database.ts'

/**
 * The one order in which a transaction takes money-related locks, to prevent deadlocks. A posting locks the customer's
 * accounts (`wallet`) and then the house accounts; the invoice number series comes last.
 */
const LOCK_ORDER = ['person', 'server', 'premium', 'coupon', 'mailbox', 'spins', 'wallet'] as const
type Locked = (typeof LOCK_ORDER)[number]

/** The locks that a transaction holds: the position of the last one, and all of them by name. */
type Taken = { place: number; readonly held: Set<string> }
const takenBy = new WeakMap<Sql, Taken>()

/**
 * Registers a lock that another statement takes, such as a posting. Throws AssertionFailure if a later one is already
 * held; a held lock may be taken again.
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

/** The locks of a sale or a refund. Each is the id of a row. */
export type MoneyLocks = {
  /** A customer who must not be erased meanwhile; a running erasure has ended when the lock is acquired. */
  readonly person?: string
  /** A server that must not be renewed, changed, stopped or deleted meanwhile. */
  readonly server?: string
  /**
   * A customer whose premium tier must not change meanwhile: `alone` for its purchase and withdrawal, `shared` for a
   * sale that it discounts.
   */
  readonly premium?: { readonly userId: string; readonly as: 'alone' | 'shared' }
  /** A coupon whose uses are counted. */
  readonly coupon?: { readonly of: 'order' | 'spins'; readonly id: string }
  /** Mailboxes whose accounts must get nothing free meanwhile, in the order of their names. */
  readonly mailboxes?: readonly string[]
  /** A customer whose spin account must not change meanwhile; it is created if missing. */
  readonly spins?: string
  /** A customer whose money, bonus and debt must not move meanwhile. */
  readonly wallet?: string
}

/**
 * Takes the locks in the one order, until the transaction ends. Read rows in a later statement, which sees the commits
 * of others.
 */
export async function lockInOrder(tx: Sql, locks: MoneyLocks): Promise<void> {
  const { person, server, premium, coupon, mailboxes = [], spins, wallet } = locks
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
  for (const mailbox of mailboxes) {
    noteLock(tx, 'mailbox', mailbox)
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 727))', [`mailbox:${mailbox}`])
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
