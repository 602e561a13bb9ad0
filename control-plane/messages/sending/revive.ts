import type { Context } from '../../platform/context.ts'
import type { Sending } from './one-try.ts'

const BATCH = 200
/** Each message has its own task; one that is due for longer than this has lost it. */
const LOST_AFTER_MS = 30_000

/** Creates a new task for each message that is due and has no sender. Returns their number. */
export async function revive(
  deps: Pick<Context, 'db' | 'ids' | 'clock'>,
  { table, enqueue }: Pick<Sending, 'table' | 'enqueue'>,
): Promise<number> {
  const now = new Date(deps.clock.now())
  return deps.db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; request_id: string }>(
      `select id, request_id from ${table}
       where state = 'waiting' and next_try_at <= $1 and (leased_until is null or leased_until <= $2)
       order by next_try_at limit ${BATCH} for update skip locked`,
      [new Date(now.getTime() - LOST_AFTER_MS), now],
    )
    await enqueue(tx, deps, { tasks: rows.map(({ id, request_id: requestId }) => ({ id, requestId })) })
    return rows.length
  })
}
