import type { Sql } from '../context/database.ts'

/** The factor that was shown besides the password. */
export type Factor = 'totp' | 'recovery code' | 'passkey'

/** A person's second factors. */
export type FactorState = {
  readonly totp: boolean
  readonly passkeys: number
  readonly recoveryCodesLeft: number
  /** An active role of theirs requires a second factor. */
  readonly isRequired: boolean
}

const READ = `
  select exists (select 1 from identity.totp where user_id = $1 and confirmed_at is not null) as totp,
         (select count(*)::int from identity.passkeys where user_id = $1) as passkeys,
         (select count(*)::int from identity.recovery_codes where user_id = $1 and used_at is null) as left,
         identity.role_needs_factor($1) as required`

/** Reads a person's second factors. */
export const readFactors = async (sql: Sql, userId: string): Promise<FactorState> => {
  const [row] = await sql.query<{ totp: boolean; passkeys: number; left: number; required: boolean }>(READ, [userId])
  return {
    totp: row?.totp ?? false,
    passkeys: row?.passkeys ?? 0,
    recoveryCodesLeft: row?.left ?? 0,
    isRequired: row?.required ?? false,
  }
}

/** Whether the account requires more than the password. */
export const hasFactor = ({ totp, passkeys }: Pick<FactorState, 'totp' | 'passkeys'>): boolean => totp || passkeys > 0
