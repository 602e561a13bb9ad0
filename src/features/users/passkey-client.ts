import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { askAuth, postAuth } from './auth-client.ts'
import type { Answer } from './auth-client.ts'

/** Whether this browser supports passkeys at this address: never for a numeric one. */
export const canUsePasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' &&
  window.isSecureContext &&
  !/^(?:[\d.]+|\[.*\])$/.test(window.location.hostname)

type Begun = { challenge: string; options: PublicKeyCredentialRequestOptionsJSON }

/**
 * Signs in with a passkey: alone, or as the second step of the sign-in named by `challenge`. Null if the person
 * dismissed the browser's window: nothing has happened then.
 */
export const signInWithPasskey = async (challenge: string | null, locale: string): Promise<Answer | null> => {
  const begun = await askAuth('passkey/options', challenge === null ? {} : { challenge }, locale)
  if (!begun.ok) return begun
  const { challenge: own, options } = begun.body as Begun
  // The passkey library is loaded only when it is used.
  const { startAuthentication } = await import('@simplewebauthn/browser')
  try {
    const { id, rawId, type, response } = await startAuthentication({ optionsJSON: options })
    return await postAuth('passkey/login', { challenge: own, response: { id, rawId, type, response } }, locale)
  } catch {
    return null
  }
}
