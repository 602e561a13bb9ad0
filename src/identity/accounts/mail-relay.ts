import { MailOrder } from '#contracts/mail/mail.ts'
import { unseal } from '#platform/seal.ts'
import { relayBackoffMs, startRelay, type Relay } from '#platform/postgres/relay.ts'
import { answerResetRequests } from './reset-password.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { olderSealKey } from '../context/signing-keys.ts'
import { mailLabel } from '../mails/mail-outbox.ts'
import { MAIL_CHANNEL } from '../mails/mail-outbox.ts'

const BATCH = 20
/** A lost notification delays a mail by at most this much. */
const POLL_MS = 5_000

export type MailRelayDeps = {
  readonly context: IdentityContext
  /** Hands a mail to the control plane. Called again with the same mail when its delivery is uncertain. */
  readonly handOver: (order: MailOrder, requestId: string) => Promise<void>
  /** Receives mails that could not be handed over, and failures of the database. */
  readonly onFailure: (error: unknown, requestId?: string) => void
}

type Row = { id: string; sealed: Buffer; request_id: string; attempts: number }

const handOverRow = async (tx: Sql, row: Row, deps: MailRelayDeps): Promise<boolean> => {
  const { clock, sealSecret } = deps.context
  try {
    const opened = unseal(row.sealed, { key: olderSealKey(sealSecret), label: mailLabel(row.id) })
    const order = MailOrder.parse(JSON.parse(opened.toString('utf8')))
    if (Date.parse(order.expiresAt) > clock.now()) await deps.handOver(order, row.request_id)
  } catch (error) {
    deps.onFailure(error, row.request_id)
    await tx.query('update identity.mail_outbox set attempts = attempts + 1, available_at = $2 where id = $1', [
      row.id,
      new Date(clock.now() + relayBackoffMs(row.attempts)),
    ])
    return false
  }
  await tx.query('delete from identity.mail_outbox where id = $1', [row.id])
  return true
}

/**
 * Processes password reset requests, then hands over the mails that are due. Rows locked by another process are
 * skipped. Resolves with whether more may wait. After a failure the rest of the batch waits too, because the peer is
 * down.
 */
export const drainMails = async (deps: MailRelayDeps): Promise<boolean> => {
  const { db, clock } = deps.context
  const answered = await answerResetRequests(deps.context)
  const sent = await db.transaction(async (tx) => {
    const rows = await tx.query<Row>(
      `select id, sealed, request_id, attempts from identity.mail_outbox where available_at <= $1
       order by available_at, id limit ${BATCH} for update skip locked`,
      [new Date(clock.now())],
    )
    for (const row of rows) if (!(await handOverRow(tx, row, deps))) return 0
    return rows.length
  })
  return sent === BATCH || answered === BATCH
}

/** Hands mails over when a transaction notifies it, and every few seconds. */
export const startMailRelay = (deps: MailRelayDeps): Relay =>
  startRelay({
    db: deps.context.db,
    channel: MAIL_CHANNEL,
    pollMs: POLL_MS,
    drain: () => drainMails(deps),
    onFailure: deps.onFailure,
  })
