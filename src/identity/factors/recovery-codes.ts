import { createHash } from 'node:crypto'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

const COUNT = 10
/** 16 letters of 5 bits: too many to be guessed from the hash. */
const LETTERS = 16
/** Without letters that are easily confused on paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789'

const draw = ({ ids }: Pick<IdentityContext, 'ids'>): string =>
  Array.from(ids.bytes(LETTERS), (byte) => ALPHABET[byte & 31]).join('')

const shown = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

/** The letters of a typed code, ignoring case, blanks and hyphens. */
const lettersOf = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '')

const hashOf = (userId: string, letters: string): Buffer => createHash('sha256').update(`${userId}|${letters}`).digest()

/** Replaces all of the person's earlier codes by ten new ones. They are stored as hashes and cannot be read again. */
export const giveRecoveryCodes = async (context: IdentityContext, tx: Sql, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, () => draw(context))
  await tx.query('delete from identity.recovery_codes where user_id = $1', [userId])
  await tx.query('insert into identity.recovery_codes (user_id, hash, created_at) select $1, unnest($2::bytea[]), $3', [
    userId,
    codes.map((code) => hashOf(userId, code)),
    new Date(context.clock.now()),
  ])
  return codes.map(shown)
}

/** Consumes a recovery code. */
export const takeRecoveryCode = async (
  context: IdentityContext,
  sql: Sql,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> => {
  const letters = lettersOf(code)
  if (letters.length !== LETTERS) return false
  const taken = await sql.query(
    'update identity.recovery_codes set used_at = $3 where user_id = $1 and hash = $2 and used_at is null returning 1',
    [userId, hashOf(userId, letters), new Date(context.clock.now())],
  )
  return taken.length > 0
}
