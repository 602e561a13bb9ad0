import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** A kind of message that is delivered to an external server: its table and its tasks. */
export type Sending = {
  /** The prefix of its fault points. */
  readonly name: 'mail' | 'push' | 'invoice'
  readonly table: 'control.mails' | 'control.push_messages' | 'control.invoice_hand_overs'
  /** A sending process holds a message for this long after its last renewal. */
  readonly leaseMs: number
  /** Additional columns that an attempt reads; `message` is the row itself. */
  readonly columns: string
  readonly joined?: { readonly from: string; readonly on: string }
  /** Assignments that erase content which is kept only while the message waits. */
  readonly emptied?: string
  readonly enqueue: (
    tx: Sql,
    deps: Pick<Context, 'ids' | 'clock'>,
    due: { tasks: readonly Task[]; delayMs?: number },
  ) => Promise<void>
}

/** The message that a task has to deliver. */
export type Task = { readonly id: string; readonly requestId: string }

/**
 * One attempt: no other process has the message while this sender lives. `tries` counts this attempt, and distinguishes
 * it from all others.
 */
export type Claim<Row> = {
  readonly id: string
  readonly row: Row
  readonly tries: number
  readonly expiresAtMs: number
  readonly requestId: string
}

export type TryEnd =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'again'; readonly failure: string; readonly atMs: number }
  /** The message was deleted together with its recipient. */
  | { readonly kind: 'gone' }
  /** Another process has the message, because this one was frozen for too long, or it no longer exists. */
  | { readonly kind: 'lost' }

export type Attempt<Row> = (claim: Claim<Row>, isStillOurs: () => Promise<boolean>) => Promise<TryEnd>
type Deps = Pick<Context, 'db' | 'clock' | 'ids' | 'faults' | 'log'>
type ClaimRow = { tries: number; expires_at: Date; request_id: string }

/**
 * Makes one attempt to deliver a message, if it is due and unclaimed. The outcome is stored, and a retry is a new task.
 * The claim is renewed as long as this process lives, and writes by a process that has lost its claim are ignored: a
 * second delivery happens only if the process dies, or is frozen for longer than the lease, between the peer's
 * acceptance and the row, or if the peer accepts a message without saying so.
 * `attempt` calls `isStillOurs` right before it delivers. Undefined when nothing was attempted.
 */
export async function tryOnce<Row extends object>(
  deps: Deps,
  sending: Sending,
  { id, attempt }: { id: string; attempt: Attempt<Row> },
): Promise<{ readonly claim: Claim<Row>; readonly end: TryEnd } | undefined> {
  const claim = await take<Row>(deps, sending, id)
  if (!claim) return undefined
  const renew = () => renewClaim(deps, sending, claim)
  const timer = setInterval(() => void renew().catch(() => {}), sending.leaseMs / 3)
  try {
    await deps.faults(`${sending.name}.leased`)
    const isOver = claim.expiresAtMs <= deps.clock.now()
    const end: TryEnd = isOver ? { kind: 'failed', failure: 'expired' } : await attempt(claim, renew)
    if (end.kind === 'sent') await deps.faults(`${sending.name}.handed-over`)
    const isWritten = await persist(() => writeEnd(deps, sending, { claim, end }))
    if (isWritten) return { claim, end }
    const line = { [`${sending.name}Id`]: id, tries: claim.tries, end: end.kind, requestId: claim.requestId }
    deps.log.warn(line, 'what came of a try is not written: the message is another’s or gone')
    return { claim, end: { kind: 'lost' } }
  } finally {
    clearInterval(timer)
  }
}

async function take<Row extends object>(
  { db, clock }: Deps,
  { table, leaseMs, columns, joined }: Sending,
  id: string,
): Promise<Claim<Row> | undefined> {
  const nowMs = clock.now()
  const [row] = await db.query<Row & ClaimRow>(
    `update ${table} message set leased_until = $3, tries = message.tries + 1
     ${joined ? `from ${joined.from}` : ''}
     where message.id = $1 and message.state = 'waiting' and message.next_try_at <= $2
       and (message.leased_until is null or message.leased_until <= $2) ${joined ? `and ${joined.on}` : ''}
     returning message.tries, message.expires_at, message.request_id, ${columns}`,
    [id, new Date(nowMs), new Date(nowMs + leaseMs)],
  )
  if (!row) return undefined
  return { id, row, tries: row.tries, expiresAtMs: row.expires_at.getTime(), requestId: row.request_id }
}

/**
 * Renews the claim; returns whether this attempt still holds the message. A finished attempt holds nothing. Renewals
 * may overtake one another on their connections: none undoes a later one.
 */
async function renewClaim(
  { db, clock }: Deps,
  { table, leaseMs }: Sending,
  { id, tries }: Claim<unknown>,
): Promise<boolean> {
  const held = await db.query(
    `update ${table} set leased_until = greatest(leased_until, $3)
     where id = $1 and tries = $2 and state = 'waiting' and leased_until is not null returning 1`,
    [id, tries, new Date(clock.now() + leaseMs)],
  )
  return held.length > 0
}

/** Stores the outcome of an attempt while it still holds the message. Returns whether it did. */
async function writeEnd(
  deps: Deps,
  { table, emptied, enqueue }: Sending,
  { claim, end }: { claim: Claim<unknown>; end: TryEnd },
): Promise<boolean> {
  const { id, tries, requestId } = claim
  const nowMs = deps.clock.now()
  if (end.kind === 'gone') return true
  if (end.kind === 'lost') return false
  if (end.kind === 'again') {
    return deps.db.transaction(async (tx) => {
      const held = await tx.query(
        `update ${table} set leased_until = null, next_try_at = $3, failure = $4
         where id = $1 and tries = $2 and state = 'waiting' returning 1`,
        [id, tries, new Date(end.atMs), end.failure],
      )
      if (held.length > 0) await enqueue(tx, deps, { tasks: [{ id, requestId }], delayMs: end.atMs - nowMs })
      return held.length > 0
    })
  }
  const failure = end.kind === 'failed' ? end.failure : null
  const held = await deps.db.query(
    `update ${table} set state = $3, failure = $4, finished_at = $5, leased_until = null ${emptied ? `, ${emptied}` : ''}
     where id = $1 and tries = $2 and state = 'waiting' returning 1`,
    [id, tries, end.kind, failure, new Date(nowMs)],
  )
  return held.length > 0
}

const WRITES = 8
const FIRST_WAIT_MS = 100

/** The peer has the message: a short outage of the database must not lead to a second delivery. */
async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let at = 0; ; at += 1) {
    try {
      return await write()
    } catch (error) {
      if (at + 1 >= WRITES) throw error
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** at))
    }
  }
}
