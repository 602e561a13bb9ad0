import type { RegisterRequest } from '#contracts/http/auth.ts'
import { recordConsents } from './consents.ts'
import type { IdentityContext, Origin } from './context.ts'
import { bucketKey } from './limits.ts'
import { insertPerson, isRegistrationOpen, NameTaken } from './people.ts'
import type { PersonRefusal } from './people.ts'

export type RegisterAnswer =
  | { readonly ok: true; readonly userId: string; readonly username: string }
  | { readonly ok: false; readonly code: PersonRefusal | 'REGISTRATION_DISABLED' }
  | { readonly ok: false; readonly code: 'TOO_MANY_REQUESTS'; readonly retryAfterSeconds: number }

export type Registration = Pick<RegisterRequest, 'username' | 'email' | 'password'> & {
  readonly language: 'en' | 'hu' | 'de'
}

/** Makes an account: person, password and consents in one transaction. The limit is asked before anything is hashed. */
export const register = async (
  context: IdentityContext,
  registration: Registration,
  origin: Origin,
): Promise<RegisterAnswer> => {
  const limit = await context.limits.take('register', bucketKey('register', origin))
  if (!limit.ok) return { ok: false, code: 'TOO_MANY_REQUESTS', retryAfterSeconds: limit.retryAfterSeconds }
  if (!(await isRegistrationOpen(context.db))) return { ok: false, code: 'REGISTRATION_DISABLED' }
  const passwordHash = await context.hasher.hash(registration.password)
  const nowMs = context.clock.now()
  const userId = context.ids.next()
  try {
    return await context.db.transaction(async (tx) => {
      const taken = await insertPerson(tx, { ...registration, id: userId }, { ids: context.ids, nowMs })
      if (taken) return { ok: false, code: taken }
      await tx.query('insert into identity.credentials (user_id, password_hash, changed_at) values ($1, $2, $3)', [
        userId,
        passwordHash,
        new Date(nowMs),
      ])
      await recordConsents(tx, context, { userId, occasion: 'registration', address: origin.address })
      return { ok: true, userId, username: registration.username }
    })
  } catch (error) {
    if (error instanceof NameTaken) return { ok: false, code: error.code }
    throw error
  }
}
