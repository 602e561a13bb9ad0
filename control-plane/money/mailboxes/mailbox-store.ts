import { createHash } from 'node:crypto'
import { mailboxOf } from '#domain/users/mailbox.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPeople, readPerson } from '../../cms/cms-reader.ts'
import { lockInOrder } from '../ledger/lock-order.ts'

type Writer = Pick<Context, 'clock'>

/** The stored name of a mailbox: enough to recognize it, and no address. */
const keyOf = (email: string): string =>
  createHash('sha256')
    .update(`mailbox ${mailboxOf(email)}`)
    .digest('hex')

/** Only a confirmed address is a person's own: anybody may enter somebody else's. */
const keysOf = ({ verified, email }: { verified: boolean; email: string }): string[] => (verified ? [keyOf(email)] : [])

const ACCOUNTS = `
  select distinct user_id from control.mailboxes
  where mailbox = any ($2) or mailbox in (select mailbox from control.mailboxes where user_id = $1)`

const accountsWith = async (sql: Sql, userId: string, keys: readonly string[]): Promise<string[]> => {
  const rows = await sql.query<{ user_id: string }>(ACCOUNTS, [userId, keys])
  return [...new Set([userId, ...rows.map((row) => row.user_id)])]
}

/**
 * All accounts of a person's mailboxes, their own first. A thing that is free once counts for all of them together. It
 * waits for nobody; a decision takes `lockMailboxes` instead.
 */
export async function accountsOfMailboxes(sql: Sql, userId: string): Promise<string[]> {
  const person = await readPerson(sql, userId)
  return accountsWith(sql, userId, person ? keysOf(person) : [])
}

/**
 * As `accountsOfMailboxes`, inside a transaction that gives something away: it remembers the person's confirmed mailbox
 * for ever, and other accounts of the same mailboxes wait until the transaction ends.
 */
export async function lockMailboxes(tx: Sql, context: Writer, userId: string): Promise<string[]> {
  await noteMailbox(tx, context, userId)
  const own = await tx.query<{ mailbox: string }>(
    'select mailbox from control.mailboxes where user_id = $1 order by mailbox',
    [userId],
  )
  await lockInOrder(tx, { mailboxes: own.map(({ mailbox }) => mailbox) })
  // A separate statement after the lock: it sees the commit of the previous holder.
  return accountsWith(tx, userId, [])
}

/** Remembers the person's confirmed mailbox, in the transaction that gives something away under a lock of its own. */
export async function noteMailbox(tx: Sql, context: Writer, userId: string): Promise<void> {
  const person = await readPerson(tx, userId)
  if (person) await noteKeys(tx, context, [person])
}

async function noteKeys(
  sql: Sql,
  { clock }: Writer,
  people: readonly { id: string; verified: boolean; email: string }[],
): Promise<void> {
  const rows = people.flatMap((person) => keysOf(person).map((mailbox) => ({ userId: person.id, mailbox })))
  if (rows.length === 0) return
  await sql.query(
    `insert into control.mailboxes (user_id, mailbox, noted_at)
     select each.user_id, each.mailbox, $3 from unnest($1::uuid[], $2::text[]) as each (user_id, mailbox)
     on conflict do nothing`,
    [rows.map(({ userId }) => userId), rows.map(({ mailbox }) => mailbox), new Date(clock.now())],
  )
}

const BATCH = 500

/** Customers who got something free before mailboxes were remembered. */
const WITHOUT = `
  select taker.user_id from (
    select user_id from control.spin_accounts where last_free_spin_at is not null
    union select user_id from control.test_servers
    union select user_id from control.coupon_reservations
    union select user_id from control.spin_grants where coupon_id is not null) taker
  where taker.user_id > $1 and not exists (select from control.mailboxes known where known.user_id = taker.user_id)
  order by taker.user_id limit ${BATCH}`

/** Remembers the mailboxes of earlier customers. Idempotent. */
export async function noteEarlierMailboxes(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const ids = (await context.db.query<{ user_id: string }>(WITHOUT, [after])).map((row) => row.user_id)
    const last = ids.at(-1)
    if (last === undefined) return
    await noteKeys(context.db, context, await readPeople(context.db, ids))
    after = last
  }
}
