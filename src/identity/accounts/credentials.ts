import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

/**
 * Stores a new password and voids every link that would set another one. A pending change of the address is dropped
 * too: whoever requested it could otherwise confirm it and have a password reset sent there.
 */
export const writePassword = async (
  tx: Sql,
  { clock }: Pick<IdentityContext, 'clock'>,
  credential: { userId: string; passwordHash: string },
): Promise<void> => {
  await tx.query(
    `insert into identity.credentials (user_id, password_hash, changed_at) values ($1, $2, $3)
     on conflict (user_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
    [credential.userId, credential.passwordHash, new Date(clock.now())],
  )
  await tx.query('delete from identity.reset_tokens where user_id = $1', [credential.userId])
  await tx.query(
    'update identity.email_changes set confirm_until = least(confirm_until, $2) where user_id = $1 and confirmed_at is null',
    [credential.userId, new Date(clock.now())],
  )
}
