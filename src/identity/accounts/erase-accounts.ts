import { erasureStatement } from '#domain/users/personal-statements.ts'
import { personalTablesOf } from '#domain/users/personal-tables.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { lockDeletionState, moveTo } from '../people/deletion-rows.ts'
import { readMailbox } from '../people/people.ts'

/** Fault points in the order in which they are passed. */
export const ERASURE_FAULTS = ['decided', 'elsewhere erased', 'tables emptied', 'erased'] as const
export type ErasureFault = (typeof ERASURE_FAULTS)[number]

export type ErasureDeps = {
  readonly context: Pick<IdentityContext, 'db' | 'clock'>
  /** Whether the control plane would erase this person now; checked before anything is decided. */
  readonly mayErase: (person: ErasedPerson) => Promise<boolean>
  /** Makes the control plane erase its part. Called again when the outcome is unknown. */
  readonly eraseElsewhere: (person: ErasedPerson) => Promise<void>
  /** Receives accounts that could not be erased; they are retried. */
  readonly onFailure: (error: unknown, userId: string) => void
  /** Called between the steps; tests end the program here. */
  readonly fault?: (point: ErasureFault) => void
}

export type ErasedPerson = { readonly userId: string; readonly email: string | null; readonly waivedFt: number }

const BATCH = 50

type Due = { user_id: string; waived_ft: string }

const personOf = async (sql: Sql, { user_id: userId, waived_ft: waived }: Due): Promise<ErasedPerson> => {
  const mailbox = await readMailbox(sql, userId)
  return { userId, email: mailbox?.isTheirs ? mailbox.email : null, waivedFt: Number(waived) }
}

/** Makes the deletion final. False when it was cancelled before. */
const decide = ({ db, clock }: ErasureDeps['context'], userId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const from = await lockDeletionState(tx, userId)
    if (from === 'erasing') return true
    if (from !== 'leaving') return false
    const moved = await tx.query(
      `update identity.account_deletions set state = 'erasing', undo_hash = null
       where user_id = $1 and erase_at <= $2 returning 1`,
      [userId, new Date(clock.now())],
    )
    if (moved.length === 0) return false
    await moveTo(tx, { userId, from, event: 'time-over' })
    return true
  })

/** Erases a person from the site's tables: from all of them, or from none. */
const eraseHere = ({ db, clock }: ErasureDeps['context'], userId: string, fault: (point: ErasureFault) => void) =>
  db.transaction(async (tx) => {
    const from = await lockDeletionState(tx, userId)
    if (from !== 'erasing') return
    const now = new Date(clock.now())
    for (const table of personalTablesOf('site')) {
      const statement = erasureStatement(table, { userId, email: null })
      if (statement) await tx.query(statement.text, statement.values)
    }
    fault('tables emptied')
    await tx.query(`update identity.account_deletions set state = 'erased', erased_at = $2 where user_id = $1`, [
      userId,
      now,
    ])
    await moveTo(tx, { userId, from, event: 'finished' })
    await tx.query('update public.users set updated_at = $2 where id = $1', [userId, now])
  })

const eraseOne = async (deps: ErasureDeps, due: Due): Promise<boolean> => {
  const { context, mayErase, eraseElsewhere, fault = () => {} } = deps
  const person = await personOf(context.db, due)
  if (!(await mayErase(person)) || !(await decide(context, person.userId))) return false
  fault('decided')
  await eraseElsewhere(person)
  fault('elsewhere erased')
  await eraseHere(context, person.userId, fault)
  fault('erased')
  return true
}

/**
 * Erases the accounts whose 14 days have passed. Each step can be repeated: the control plane's part is one transaction
 * there, the site's part one here, and an account that was left in between is resumed. Resolves with the number of
 * erased accounts.
 */
export const eraseDueAccounts = async (deps: ErasureDeps): Promise<number> => {
  const { db, clock } = deps.context
  const rows = await db.query<Due>(
    `select user_id, waived_ft::text from identity.account_deletions
     where state <> 'erased' and erase_at <= $1 order by erase_at limit ${BATCH}`,
    [new Date(clock.now())],
  )
  let erased = 0
  for (const due of rows) {
    try {
      if (await eraseOne(deps, due)) erased += 1
    } catch (error) {
      deps.onFailure(error, due.user_id)
    }
  }
  return erased
}
