import { nextDeletionState } from '#domain/departures/account-deletion.ts'
import type { DeletionEvent, DeletionState } from '#domain/departures/account-deletion.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '../context/database.ts'

/** What the admin's list shows: who is being erased is as good as gone. */
const SHOWN: Readonly<Record<DeletionState, 'active' | 'leaving' | 'erased'>> = {
  active: 'active',
  leaving: 'leaving',
  erasing: 'erased',
  erased: 'erased',
}

/** The state of an account, with its row locked; a person without a row is active. */
export const lockDeletionState = async (tx: Sql, userId: string): Promise<DeletionState> => {
  // The person's row is there whether there is one of a deletion or not.
  await tx.query('select 1 from public.users where id = $1 for update', [userId])
  const [row] = await tx.query<{ state: DeletionState }>(
    'select state from identity.account_deletions where user_id = $1 for update',
    [userId],
  )
  return row?.state ?? 'active'
}

/** Shows the state that `event` leads to in the people's own table. The move must be one of the domain's table. */
export const moveTo = async (
  tx: Sql,
  { userId, from, event }: { userId: string; from: DeletionState; event: DeletionEvent },
): Promise<DeletionState> => {
  const to = nextDeletionState(from, event)
  assert(to !== undefined, `an account that is ${from} does not know ${event}`)
  await tx.query('update public.users set account_state = $2 where id = $1', [userId, SHOWN[to]])
  return to
}

/** When the data of somebody who may still come back is removed; null for everybody else. */
export const readEraseAt = async (sql: Sql, userId: string): Promise<Date | null> => {
  const [row] = await sql.query<{ erase_at: Date }>(
    `select gone.erase_at from identity.account_deletions gone join public.users person on person.id = gone.user_id
     where gone.user_id = $1 and gone.state = 'leaving' and not coalesce(person.suspended, false)`,
    [userId],
  )
  return row?.erase_at ?? null
}
