import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { closeChallenge, openChallenge, tryChallenge } from '../sessions/challenges.ts'
import type { Challenge, OpenChallenge, ShownChallenge } from '../sessions/challenges.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { PasskeySite } from '../factors/passkey-site.ts'
import { countUse, findPasskey, listPasskeys } from '../factors/passkeys.ts'
import type { Passkey } from '../factors/passkeys.ts'
import { signIn } from '../sessions/sign-in.ts'
import type { SignInAnswer } from '../sessions/sign-in.ts'

const CHALLENGE_BYTES = 32

export type RequestOptions = Awaited<ReturnType<typeof generateAuthenticationOptions>>

export type BeginPasskeyLogin = {
  readonly site: PasskeySite
  /** The challenge of a sign-in whose password was right; without it anyone with a passkey may sign in. */
  readonly second: ShownChallenge | null
  readonly browser: string | null
}

export type BeginPasskeyLoginAnswer =
  | { readonly ok: true; readonly options: RequestOptions; readonly challenge: Challenge }
  | { readonly ok: false; readonly code: 'TOKEN_EXPIRED' }

/** Begins a sign-in by passkey: alone, or as the second step after a password. */
export const beginPasskeyLogin = async (
  context: IdentityContext,
  { site, second, browser }: BeginPasskeyLogin,
): Promise<BeginPasskeyLoginAnswer> => {
  const begun = second === null ? null : await tryChallenge(context, second, 'second factor')
  if (second !== null && (begun === null || begun.userId === null)) return { ok: false, code: 'TOKEN_EXPIRED' }
  const userId = begun?.userId ?? null
  const own = userId === null ? [] : await listPasskeys(context.db, userId)
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(context.ids.bytes(CHALLENGE_BYTES)),
    // Alone the passkey replaces both factors, so it requires user verification; after a password possession is enough.
    userVerification: userId === null ? 'required' : 'preferred',
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] })),
  })
  const made = { purpose: 'passkey sign-in', userId, webauthn: options.challenge, browser } as const
  return { ok: true, options, challenge: await openChallenge(context, made) }
}

export type PasskeyLogin = {
  readonly site: PasskeySite
  readonly challenge: ShownChallenge
  readonly response: AuthenticationResponseJSON
  readonly device: string | null
}

export type PasskeyLoginAnswer =
  SignInAnswer | { readonly ok: false; readonly code: 'PASSKEY_REFUSED' | 'TOKEN_EXPIRED' }

/** The counter after this use, or null when the response does not belong to this passkey and challenge. */
const verifiedCounter = async ({ site, response }: PasskeyLogin, open: OpenChallenge, passkey: Passkey) => {
  const { userHandle } = response.response
  const isTheirs = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.userId
  if (!isTheirs) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: open.webauthn ?? '',
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: open.userId === null,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: [...passkey.transports],
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    // A wrong signature, challenge, origin or site, or a counter that went back, which means that a copy of the
    // authenticator is in use.
    return null
  }
}

/**
 * Completes a sign-in by passkey. The challenge serves one sign-in, and after a password only the person whose password
 * it was.
 */
export const finishPasskeyLogin = async (
  context: IdentityContext,
  attempt: PasskeyLogin,
  origin: Origin,
): Promise<PasskeyLoginAnswer> => {
  const { challenge: shown, response, device } = attempt
  const open = await tryChallenge(context, shown, 'passkey sign-in')
  if (!open || open.webauthn === null) return { ok: false, code: 'TOKEN_EXPIRED' }
  const passkey = await findPasskey(context.db, response.id)
  if (!passkey || (open.userId !== null && open.userId !== passkey.userId))
    return { ok: false, code: 'PASSKEY_REFUSED' }
  const counter = await verifiedCounter(attempt, open, passkey)
  if (counter === null) return { ok: false, code: 'PASSKEY_REFUSED' }
  const isFirst = await closeChallenge(context, context.db, { shown, purpose: 'passkey sign-in' })
  if (!isFirst) return { ok: false, code: 'TOKEN_EXPIRED' }
  const isCounted = await countUse(context.db, { passkey, counter, nowMs: context.clock.now() })
  if (!isCounted) return { ok: false, code: 'PASSKEY_REFUSED' }
  // Alone it needs no password; as the second step the presented password must still be current.
  const passwordAt = open.userId === null ? null : open.openedAt
  const { userId, id: passkeyId } = passkey
  return signIn(context, { userId, factor: 'passkey', passkeyId, device, passwordAt }, origin)
}
