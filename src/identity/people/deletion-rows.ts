import { nextDeletionState } from '#domain/departures/account-deletion.ts'
import type { DeletionEvent, DeletionState } from '#domain/departures/account-deletion.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '../context/database.ts'

/** The state in the admin's list: an account that is being erased is shown as deleted. */
const SHOWN: Readonly<Record<DeletionState, 'active' | 'leaving' | 'erased'>> = {
  active: 'active',
  leaving: 'leaving',
  erasing: 'erased',
  erased: 'erased',
}

/** The deletion state of an account, with its row locked; without a row it is active. */
export const lockDeletionState = async (tx: Sql, userId: string): Promise<DeletionState> => {
  // The person's row exists with or without a deletion row.
  await tx.query('select 1 from public.users where id = $1 for update', [userId])
  const [row] = await tx.query<{ state: DeletionState }>(
    'select state from identity.account_deletions where user_id = $1 for update',
    [userId],
  )
  return row?.state ?? 'active'
}

/** Writes the state after `event` to the people's own table. The domain must allow the transition. */
export const moveTo = async (
  tx: Sql,
  { userId, from, event }: { userId: string; from: DeletionState; event: DeletionEvent },
): Promise<DeletionState> => {
  const to = nextDeletionState(from, event)
  assert(to !== undefined, `an account that is ${from} does not know ${event}`)
  await tx.query('update public.users set account_state = $2 where id = $1', [userId, SHOWN[to]])
  return to
}

/** When the data of a person who can still cancel the deletion is erased; null for everybody else. */
export const readEraseAt = async (sql: Sql, userId: string): Promise<Date | null> => {
  const [row] = await sql.query<{ erase_at: Date }>(
    `select gone.erase_at from identity.account_deletions gone join public.users person on person.id = gone.user_id
     where gone.user_id = $1 and gone.state = 'leaving' and not coalesce(person.suspended, false)`,
    [userId],
  )
  return row?.erase_at ?? null
}
