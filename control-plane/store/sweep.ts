import type { Context } from '../platform/context.ts'

const DAY_MS = 86_400_000
const COMMAND_LIFE_MS = 30 * DAY_MS

/** Removes what has no use any more: used tickets, ended sessions, large events, old enrolment tokens and commands. */
export async function sweep({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const nowMs = clock.now()
  const before = (ageMs: number) => [new Date(nowMs - ageMs)]
  await db.query('delete from control.used_gateway_tickets where expires_at < $1', before(DAY_MS))
  await db.query('delete from control.ended_sessions where ended_at < $1', before(DAY_MS))
  await db.query('delete from control.bus_events where created_at < $1', before(DAY_MS))
  await db.query('delete from control.enrolment_tokens where expires_at < $1', before(DAY_MS))
  // An installation that failed is remembered as long as its server is: it must never be planned again.
  await db.query(
    `delete from control.commands where finished_at < $1 and (state <> 'failed' or kind <> 'install')`,
    before(COMMAND_LIFE_MS),
  )
}
