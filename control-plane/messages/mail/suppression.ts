import { createHmac } from 'node:crypto'
import type { MailKind } from '#contracts/mail/mail.ts'
import { deriveKey } from '#platform/seal.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** For how long nothing is sent to an address that does not exist: a domain may come back. */
export const SUPPRESSION_LIFE_MS = 90 * 86_400_000

/** A wrong entry in the list would shut people out, hide who takes their account, or keep a document of the law from them. */
const AWAITED: readonly MailKind[] = [
  'verify',
  'reset',
  'email-change',
  'email-change-notice',
  'security-change',
  'account-deletion',
  'withdrawal',
]

/** The hash under which an address is remembered; without the secret nobody can try addresses on it. */
export const addressHash = (address: string, secret: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'bakter mail address hash 1')).update(address.toLowerCase()).digest()

/** Notes that an address does not exist; `status` is the enhanced status code (RFC 3463). */
export async function suppressAddress(
  tx: Sql,
  { hash, status, nowMs }: { hash: Buffer; status: string; nowMs: number },
): Promise<void> {
  await tx.query(
    `insert into control.mail_suppressions (address_hash, status, since) values ($1, $2, $3)
     on conflict (address_hash) do update set status = excluded.status, since = excluded.since`,
    [hash, status, new Date(nowMs)],
  )
}

/** Forgets that an address did not exist: its owner has just written from it. */
export async function liftSuppression(tx: Sql, hash: Buffer): Promise<void> {
  await tx.query('delete from control.mail_suppressions where address_hash = $1', [hash])
}

/** Whether a mail of this kind is not sent because its address does not exist. */
export async function isSuppressed(
  sql: Sql,
  { hash, kind, nowMs }: { hash: Buffer; kind: MailKind; nowMs: number },
): Promise<boolean> {
  if (AWAITED.includes(kind)) return false
  const found = await sql.query('select 1 from control.mail_suppressions where address_hash = $1 and since > $2', [
    hash,
    new Date(nowMs - SUPPRESSION_LIFE_MS),
  ])
  return found.length > 0
}
