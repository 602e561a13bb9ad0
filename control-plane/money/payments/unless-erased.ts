import type { Sql } from '#platform/postgres/database.ts'
import { isErased } from '../../cms/cms-reader.ts'
import { notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'

type Writing<Write extends (...parts: never[]) => unknown> =
  Parameters<Write> extends [Sql, ...infer Rest] ? Rest : never

/**
 * Banks and providers move money of somebody whose account was erased as well. That stands in the books; a notification would be for
 * nobody, and would be held of a person who is gone.
 */
export async function notifyUnlessErased(tx: Sql, ...[context, notice]: Writing<typeof notifyUser>): Promise<void> {
  if (!(await isErased(tx, notice.userId))) await notifyUser(tx, context, notice)
}

/** The same of a line of the activity log. */
export async function recordUnlessErased(
  tx: Sql,
  ...[context, activity]: Writing<typeof recordActivity>
): Promise<void> {
  if (!(await isErased(tx, activity.userId))) await recordActivity(tx, context, activity)
}
