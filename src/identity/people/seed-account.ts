import { openIdentityDatabase } from '../context/database.ts'
import { createPasswordHasher } from '../context/password-hasher.ts'

/**
 * Sets the password of the person `userId` of public.users, for demo accounts and the first administrator. Opens and
 * closes its own connection.
 */
export const seedAccount = async (
  account: { userId: string; password: string },
  databaseUrl: string,
): Promise<void> => {
  const database = openIdentityDatabase(databaseUrl, { maxConnections: 1 })
  try {
    await database.query(
      `insert into identity.credentials (user_id, password_hash, changed_at) values ($1, $2, now())
       on conflict (user_id) do update set password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
      [account.userId, await createPasswordHasher().hash(account.password)],
    )
  } finally {
    await database.close()
  }
}
