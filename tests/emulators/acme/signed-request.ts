import { createHash, createHmac, createPublicKey, timingSafeEqual, verify, type JsonWebKey } from 'node:crypto'
import * as z from 'zod'

/** A refusal in the form of RFC 8555 section 6.7. */
export class Refusal extends Error {
  readonly status: number
  readonly type: string
  readonly headers: Record<string, string>

  constructor(status: number, type: string, detail: string, headers: Record<string, string> = {}) {
    super(detail)
    this.status = status
    this.type = type
    this.headers = headers
  }
}

const Jws = z.strictObject({ protected: z.string(), payload: z.string(), signature: z.string() })
const Header = z.strictObject({
  alg: z.literal('ES256'),
  nonce: z.string(),
  url: z.string(),
  jwk: z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }).optional(),
  kid: z.string().optional(),
})
export type Jwk = NonNullable<z.infer<typeof Header>['jwk']>
const BindingHeader = z.strictObject({ alg: z.literal('HS256'), kid: z.string(), url: z.string() })

const decode = (text: string): string => Buffer.from(text, 'base64url').toString('utf8')

/** The digest of a public key (RFC 7638): its members in alphabetical order. */
export const thumbprintOf = ({ crv, kty, x, y }: Jwk): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

export interface SignedRequest {
  readonly jwk: Jwk
  /** The account's address; undefined when the request contained the key itself. */
  readonly account: string | undefined
  /** Undefined for POST-as-GET. */
  readonly payload: unknown
}

/** Verifies a signed request with node's own crypto, in the order of section 6. Throws the matching refusal. */
export const checkSigned = (
  body: string,
  request: { readonly url: string; readonly contentType: string | undefined },
  state: { takeNonce(nonce: string): boolean; keyOf(account: string): Jwk | undefined },
): SignedRequest => {
  if (request.contentType !== 'application/jose+json') throw new Refusal(415, 'malformed', 'The content type is wrong.')
  const jws = Jws.safeParse(JSON.parse(body)).data
  const header = jws === undefined ? undefined : Header.safeParse(JSON.parse(decode(jws.protected))).data
  if (jws === undefined || header === undefined)
    throw new Refusal(400, 'malformed', 'This is no flattened JWS of ES256.')
  if ((header.jwk === undefined) === (header.kid === undefined)) {
    throw new Refusal(400, 'malformed', 'One of jwk and kid has to be there.')
  }
  const jwk = header.jwk ?? state.keyOf(header.kid ?? '')
  if (jwk === undefined) throw new Refusal(400, 'accountDoesNotExist', 'There is no such account.')
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  const signed = Buffer.from(`${jws.protected}.${jws.payload}`)
  const signature = Buffer.from(jws.signature, 'base64url')
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)) {
    throw new Refusal(400, 'malformed', 'The signature is wrong.')
  }
  if (!state.takeNonce(header.nonce)) throw new Refusal(400, 'badNonce', 'The nonce was never given or is used up.')
  if (header.url !== request.url) throw new Refusal(401, 'unauthorized', 'The signed address is another one.')
  const payload = jws.payload === '' ? undefined : (JSON.parse(decode(jws.payload)) as unknown)
  return { jwk, account: header.kid, payload }
}

/** Whether an external account's binding is signed with its key and names this account's key (section 7.3.4). */
export const isBound = (
  binding: unknown,
  about: { readonly jwk: Jwk; readonly url: string; readonly keyId: string; readonly hmacKey: string },
): boolean => {
  const jws = Jws.safeParse(binding).data
  const header = jws === undefined ? undefined : BindingHeader.safeParse(JSON.parse(decode(jws.protected))).data
  if (jws === undefined || header?.kid !== about.keyId || header.url !== about.url) return false
  const mac = createHmac('sha256', Buffer.from(about.hmacKey, 'base64url')).update(`${jws.protected}.${jws.payload}`)
  const expected = mac.digest()
  const told = Buffer.from(jws.signature, 'base64url')
  const isSigned = told.length === expected.length && timingSafeEqual(told, expected)
  return isSigned && thumbprintOf(JSON.parse(decode(jws.payload)) as Jwk) === thumbprintOf(about.jwk)
}
