import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { violatedUnique } from '#platform/postgres/sql-state.ts'
import type { Challenge, ShownChallenge } from '../sessions/challenges.ts'
import { closeChallenge, openChallenge, tryChallenge } from '../sessions/challenges.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { factorIsOn } from './factor-setup.ts'
import type { FactorOn } from './factor-setup.ts'
import type { PasskeySite } from './passkey-site.ts'
import { listPasskeys } from './passkeys.ts'
import { readAccountName } from '../people/people.ts'
import { proveAgain } from './prove-person.ts'
import type { Person, Reproof } from './prove-person.ts'
import { hasFactor, readFactors } from '../sessions/second-factor.ts'
import { tellOfChange } from '../mails/security-mails.ts'

const MAX_PASSKEYS = 20
const CHALLENGE_BYTES = 32

export type CreationOptions = Awaited<ReturnType<typeof generateRegistrationOptions>>

export type BeginAnswer =
  | { readonly ok: true; readonly options: CreationOptions; readonly challenge: Challenge }
  | Extract<Reproof, { ok: false }>
  | { readonly ok: false; readonly code: 'CONFLICT' }

type Wish = { person: Person; password: string; code: string | undefined; site: PasskeySite; browser: string | null }

/** Begins to add a passkey: returns the creation options to a person who re-authenticated. */
export const beginPasskey = async (context: IdentityContext, wish: Wish, origin: Origin): Promise<BeginAnswer> => {
  const proved = await proveAgain(context, wish, origin)
  if (!proved.ok) return proved
  const { userId } = wish.person
  const existing = await listPasskeys(context.db, userId)
  if (existing.length >= MAX_PASSKEYS) return { ok: false, code: 'CONFLICT' }
  const { hostName, username } = await readAccountName(context.db, userId)
  const options = await generateRegistrationOptions({
    rpName: hostName,
    rpID: wish.site.id,
    userName: username,
    userID: new Uint8Array(Buffer.from(userId)),
    challenge: new Uint8Array(context.ids.bytes(CHALLENGE_BYTES)),
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    // The passkey can sign in alone, so it is discoverable and requires user verification.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { browser } = wish
  const made = { purpose: 'new passkey', userId, webauthn: options.challenge, browser } as const
  return { ok: true, options, challenge: await openChallenge(context, made) }
}

export type NewPasskey = {
  readonly person: Person
  readonly site: PasskeySite
  readonly challenge: ShownChallenge
  readonly response: RegistrationResponseJSON
  readonly name: string
}

export type AddAnswer = FactorOn | { readonly ok: false; readonly code: 'PASSKEY_NOT_ADDED' }

const REFUSED = { ok: false, code: 'PASSKEY_NOT_ADDED' } as const

const verified = async ({ response, site }: NewPasskey, webauthn: string) => {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: webauthn,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
    })
    return registrationInfo
  } catch {
    // The library throws for every invalid response of the browser.
    return undefined
  }
}

/** Stores the passkey that the browser created. The account now has a second factor. */
export const addPasskey = async (context: IdentityContext, added: NewPasskey, origin: Origin): Promise<AddAnswer> => {
  const { person, challenge, name } = added
  const open = await tryChallenge(context, challenge, 'new passkey')
  if (!open || open.userId !== person.userId || open.webauthn === null) return REFUSED
  const info = await verified(added, open.webauthn)
  if (!info) return REFUSED
  const isFirst = !hasFactor(await readFactors(context.db, person.userId))
  const { credential } = info
  const passkeyId = context.ids.next()
  try {
    return await context.db.transaction(async (tx) => {
      if (!(await closeChallenge(context, tx, { shown: challenge, purpose: 'new passkey' }))) return REFUSED
      await tx.query(
        `insert into identity.passkeys
           (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          passkeyId,
          person.userId,
          credential.id,
          Buffer.from(credential.publicKey),
          credential.counter,
          (credential.transports ?? []).join(' '),
          name,
          info.credentialBackedUp,
          new Date(context.clock.now()),
        ],
      )
      await tellOfChange(tx, context, { userId: person.userId, change: 'passkey-added', origin })
      return factorIsOn(context, tx, { person, factor: 'passkey', passkeyId, isFirst })
    })
  } catch (error) {
    // The credential already belongs to an account.
    if (violatedUnique(error)) return REFUSED
    throw error
  }
}
