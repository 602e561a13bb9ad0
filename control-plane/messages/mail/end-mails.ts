import type { Sql } from '#platform/postgres/database.ts'

/**
 * Ends mails that were not sent, because what they say is no longer theirs to read who would get them: those with an id, and those of a request.
 * Nothing of their text is left.
 */
export async function endMails(
  tx: Sql,
  { ids, requestIds, nowMs }: { ids: readonly string[]; requestIds: readonly string[]; nowMs: number },
): Promise<void> {
  await tx.query(
    `update control.mails set state = 'failed', failure = 'WITHDRAWN', sealed = null, leased_until = null, finished_at = $3
     where state = 'waiting' and (id = any ($1) or request_id = any ($2))`,
    [ids, requestIds, new Date(nowMs)],
  )
}
