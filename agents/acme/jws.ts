import { createPublicKey, type KeyObject } from 'node:crypto'
import { FlattenedSign, calculateJwkThumbprint } from 'jose'

/** The public part of an account's key as a JWK with the four members of RFC 7638. */
export const publicJwk = (key: KeyObject): Record<'crv' | 'kty' | 'x' | 'y', string> => {
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { crv, kty, x, y }
}

/** The key authorization of a token: the token and the thumbprint of the account's key (RFC 8555 section 8.1). */
export const keyAuthorization = async (token: string, key: KeyObject): Promise<string> =>
  `${token}.${await calculateJwkThumbprint(publicJwk(key), 'sha256')}`

/**
 * The body of a signed request (RFC 8555 section 6.2). `account` is the account's address; undefined embeds the key
 * itself, as newAccount requires. `payload` undefined gives the empty one of a POST-as-GET.
 */
export const signedBody = async (
  key: KeyObject,
  about: { readonly url: string; readonly nonce: string; readonly account: string | undefined },
  payload: object | undefined,
): Promise<string> => {
  const { url, nonce, account } = about
  const bytes = new TextEncoder().encode(payload === undefined ? '' : JSON.stringify(payload))
  const signer = account === undefined ? { jwk: publicJwk(key) } : { kid: account }
  const jws = await new FlattenedSign(bytes).setProtectedHeader({ alg: 'ES256', nonce, url, ...signer }).sign(key)
  return JSON.stringify(jws)
}

/** Binds the account to a customer of the authority (RFC 8555 section 7.3.4). */
export const externalBinding = async (
  key: KeyObject,
  url: string,
  external: { readonly keyId: string; readonly hmacKey: string },
): Promise<object> => {
  const bytes = new TextEncoder().encode(JSON.stringify(publicJwk(key)))
  const header = { alg: 'HS256', kid: external.keyId, url }
  return new FlattenedSign(bytes).setProtectedHeader(header).sign(Buffer.from(external.hmacKey, 'base64url'))
}
