import { afterPage, startRun, type DueRun } from '#domain/billing/due-run.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { LifetimeContext } from './lifetime-context.ts'
import { lookAtServer } from './look-at-server.ts'

/** The number of concurrent servers, bounded by the connection pool. */
const AT_ONCE = 6

export type LifetimeRun = { readonly ran: boolean; readonly looked: number; readonly failed: number }

/**
 * Handles every server with a due step: reminders, automatic renewals, expiries and deletions. Each is a separate
 * transaction: a failed one is logged and does not stop the others. Nothing runs while the clock is in doubt.
 */
export async function runLifetime(context: LifetimeContext): Promise<LifetimeRun> {
  if (!(await context.clockGuard.mayBill())) return { ran: false, looked: 0, failed: 0 }
  let run: DueRun = startRun(context.clock.now())
  let [looked, failed] = [0, 0]
  while (!run.isDone) {
    const ids = await readPage(context.db, run)
    await context.faults('lifetime.page')
    const results = await lookAtAll(context, ids)
    looked += ids.length
    failed += results.filter((went) => !went).length
    run = afterPage(run, ids)
  }
  return { ran: true, looked, failed }
}

async function readPage(sql: Sql, { dueUntilMs, afterId, limit }: DueRun): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from control.servers
     where desired = 'installed' and deleted_at is null and (lifetime_due_at is null or lifetime_due_at <= $1)
       and ($2::uuid is null or id > $2) order by id limit $3`,
    [new Date(dueUntilMs), afterId ?? null, limit],
  )
  return rows.map(({ id }) => id)
}

async function lookAtAll(context: LifetimeContext, ids: readonly string[]): Promise<boolean[]> {
  const waiting = [...ids]
  const results: boolean[] = []
  const hand = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) results.push(await look(context, id))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, hand))
  return results
}

async function look(context: LifetimeContext, serverId: string): Promise<boolean> {
  try {
    return await lookAtServer(context, serverId)
  } catch (error) {
    context.log.error({ serverId, reason: String(error) }, 'the time of a server could not be looked at')
    return false
  }
}
