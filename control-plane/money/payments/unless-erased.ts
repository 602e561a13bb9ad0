import type { Sql } from '#platform/postgres/database.ts'
import { isErased } from '../../cms/cms-reader.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'

type Writing<Write extends (...parts: never[]) => unknown> =
  Parameters<Write> extends [Sql, ...infer Rest] ? Rest : never

/**
 * Banks and providers also move money of erased accounts. The books record it; a notification would have no recipient,
 * and would be data about an erased person.
 */
export async function notifyUnlessErased(tx: Sql, ...[context, notice]: Writing<typeof notifyUser>): Promise<void> {
  if (!(await isErased(tx, notice.userId))) await notifyUser(tx, context, notice)
}

/** The same for a line of the activity log. */
export async function recordUnlessErased(
  tx: Sql,
  ...[context, activity]: Writing<typeof recordActivity>
): Promise<void> {
  if (!(await isErased(tx, activity.userId))) await recordActivity(tx, context, activity)
}
