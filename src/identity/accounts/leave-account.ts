import type { DepartureFigures } from '#contracts/http/privacy.ts'
import { eraseAtMs, nextDeletionState, refuseDeletion, UNDO_MINUTES } from '#domain/departures/account-deletion.ts'
import type { DeletionRefusal, Waiver } from '#domain/departures/account-deletion.ts'
import { recordActivity } from '../people/activities.ts'
import { closeChallenge, tryChallenge } from '../sessions/challenges.ts'
import type { ShownChallenge } from '../sessions/challenges.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { lockDeletionState, moveTo } from '../people/deletion-rows.ts'
import { drawLinkToken } from '../mails/link-tokens.ts'
import { canReceive, enqueueMail } from '../mails/mail-outbox.ts'
import { readMailbox } from '../people/people.ts'
import { proveAgain } from '../factors/prove-person.ts'
import type { Person, Reproof } from '../factors/prove-person.ts'
import { secretHash } from '../context/secret-hash.ts'
import { markAllEnded } from '../sessions/sessions.ts'

// The lock under which the CMS changes roles: two administrators who leave at once would otherwise each see the other.
const LOCK_ADMINISTRATORS = `select pg_advisory_xact_lock(hashtext('administrators'))`

const COUNT_ADMINISTRATORS = `
  select count(distinct rel.parent_id) filter (where rel.parent_id = $1)::int as own,
    count(distinct rel.parent_id) filter (where rel.parent_id <> $1)::int as others
  from public.users_rels rel join public.roles role on role.id = rel.roles_id
    join public.users person on person.id = rel.parent_id
  where rel.path = 'role' and role.active and role.is_admin
    and not coalesce(person.suspended, false) and coalesce(person.account_state, 'active') = 'active'`

/** Whether this person is the only administrator. */
export const isLastAdministrator = async (sql: Sql, userId: string): Promise<boolean> => {
  const [row] = await sql.query<{ own: number; others: number }>(COUNT_ADMINISTRATORS, [userId])
  return row !== undefined && row.own > 0 && row.others === 0
}

export type DepartureWish = {
  readonly person: Person
  readonly password: string
  readonly code: string | undefined
  readonly waiver: Waiver
  /** The control plane's figures, read just now. */
  readonly figures: DepartureFigures
  readonly requestId: string
}

export type DepartureAnswer =
  | { readonly ok: true; readonly eraseAt: Date; readonly endedSessions: readonly string[] }
  | { readonly ok: false; readonly code: DeletionRefusal | 'INVALID_STATE' }
  | Extract<Reproof, { ok: false }>

const writeDeparture = async (
  tx: Sql,
  context: IdentityContext,
  { userId, waivedFt, requestId, address }: { userId: string; waivedFt: number; requestId: string; address: string },
): Promise<Date> => {
  const nowMs = context.clock.now()
  const eraseAt = new Date(eraseAtMs(nowMs))
  const undo = drawLinkToken(context.ids)
  await tx.query(
    `insert into identity.account_deletions (user_id, state, asked_at, erase_at, undo_hash, waived_ft)
     values ($1, 'leaving', $2, $3, $4, $5)`,
    [userId, new Date(nowMs), eraseAt, undo.hash, waivedFt],
  )
  await recordActivity(tx, context, { userId, type: 'account.leaving', status: 'success', address })
  const mailbox = await readMailbox(tx, userId)
  if (mailbox && canReceive(mailbox)) {
    const params = { username: mailbox.username, at: eraseAt.toISOString(), path: `/auth/deletion?undo=${undo.token}` }
    const content = { kind: 'account-deletion', params } as const
    const { email: to, language } = mailbox
    await enqueueMail(tx, context, { to, language, content, minutes: UNDO_MINUTES, requestId })
  }
  return eraseAt
}

/**
 * Deletes an account: access ends at once, the data is erased after 14 days, and until then the deletion can be
 * cancelled. The person re-authenticates first, so that an unattended page neither reveals nor deletes anything.
 */
export const leaveAccount = async (
  context: IdentityContext,
  { person, password, code, waiver, figures, requestId }: DepartureWish,
  origin: Origin,
): Promise<DepartureAnswer> => {
  const proved = await proveAgain(context, { person, password, code }, origin)
  if (!proved.ok) return proved
  const { userId } = person
  return context.db.transaction(async (tx): Promise<DepartureAnswer> => {
    await tx.query(LOCK_ADMINISTRATORS)
    const from = await lockDeletionState(tx, userId)
    if (nextDeletionState(from, 'asked') === undefined) return { ok: false, code: 'INVALID_STATE' }
    const { balanceFt, debtFt, openOrders, openPayments, servers } = figures
    const runningServers = servers.filter(({ isRunning }) => isRunning).length
    const left = {
      balanceFt,
      debtFt,
      openOrders,
      openPayments,
      runningServers,
      stoppedServers: servers.length - runningServers,
    }
    const refusal = refuseDeletion({ ...left, isLastAdministrator: await isLastAdministrator(tx, userId) }, waiver)
    if (refusal !== null) return { ok: false, code: refusal }
    const waivedFt = Math.max(0, waiver.balanceFt)
    const eraseAt = await writeDeparture(tx, context, { userId, waivedFt, requestId, address: origin.address })
    await moveTo(tx, { userId, from, event: 'asked' })
    return { ok: true, eraseAt, endedSessions: await markAllEnded(tx, context, { userId, reason: 'account leaving' }) }
  })
}

export type UndoAnswer =
  { readonly ok: true; readonly userId: string } | { readonly ok: false; readonly code: 'LINK_INVALID' }

const INVALID = { ok: false, code: 'LINK_INVALID' } as const

const undo = async (
  tx: Sql,
  context: IdentityContext,
  { userId, address }: { userId: string; address: string },
): Promise<UndoAnswer> => {
  const from = await lockDeletionState(tx, userId)
  if (nextDeletionState(from, 'undone') === undefined) return INVALID
  await tx.query('delete from identity.account_deletions where user_id = $1', [userId])
  await moveTo(tx, { userId, from, event: 'undone' })
  await recordActivity(tx, context, { userId, type: 'account.stays', status: 'success', address })
  return { ok: true, userId }
}

/** Cancels a deletion by the link in the mail, as long as nothing was erased. It opens no session. */
export const undoByLink = (context: IdentityContext, token: string, { address }: Origin): Promise<UndoAnswer> =>
  context.db.transaction(async (tx) => {
    const [row] = await tx.query<{ user_id: string }>(
      'select user_id from identity.account_deletions where undo_hash = $1',
      [secretHash(token)],
    )
    return row ? undo(tx, context, { userId: row.user_id, address }) : INVALID
  })

/** Cancels a deletion in the browser whose sign-in was just answered with the pending deletion. */
export const undoByChallenge = async (
  context: IdentityContext,
  shown: ShownChallenge,
  { address }: Origin,
): Promise<UndoAnswer> => {
  const open = await tryChallenge(context, shown, 'undo deletion')
  if (!open || open.userId === null) return INVALID
  const { userId } = open
  return context.db.transaction(async (tx) => {
    if (!(await closeChallenge(context, tx, { shown, purpose: 'undo deletion' }))) return INVALID
    return undo(tx, context, { userId, address })
  })
}
