import { errors, jwtVerify, SignJWT } from 'jose'
import { ACCESS_TOKEN_SECONDS, AccessTokenClaims, GATEWAY_TICKET_SECONDS } from '#contracts/http/auth.ts'
import type { Ids } from '#platform/ids.ts'
import type { SigningKey, SigningKeys } from '../context/signing-keys.ts'
import { recallToken, rememberToken } from './verified-tokens.ts'

/** The person and session of a token. */
export type Subject = { readonly userId: string; readonly sessionId: string }

type Mint = { subject: Subject; nowMs: number; ids: Ids; key: SigningKey }

const mint = ({ subject, nowMs, ids, key }: Mint, kind: { type: string; audience: string; seconds: number }) => {
  const issuedAt = Math.floor(nowMs / 1_000)
  return new SignJWT({ sid: subject.sessionId })
    .setProtectedHeader({ alg: 'EdDSA', typ: kind.type, kid: key.kid })
    .setIssuer('bakter')
    .setAudience(kind.audience)
    .setSubject(subject.userId)
    .setJti(ids.next())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + kind.seconds)
    .sign(key.privateKey)
}

/** An access token of 900 s. */
export const mintAccessToken = (input: Mint): Promise<string> =>
  mint(input, { type: 'at+jwt', audience: 'bakter', seconds: ACCESS_TOKEN_SECONDS })

/** A ticket of 30 s for the gateway's socket. The gateway accepts each `jti` once. */
export const mintGatewayTicket = (input: Mint): Promise<string> =>
  mint(input, { type: 'gateway-ticket+jwt', audience: 'bakter-gateway', seconds: GATEWAY_TICKET_SECONDS })

/**
 * Checks signature, kind, issuer, audience and time of an access token. Resolves with its subject, or with the reason
 * of its refusal. The caller checks in the database whether the session is still active.
 */
export const verifyAccessToken = async (
  token: string,
  { nowMs, keys }: { nowMs: number; keys: Pick<SigningKeys, 'verifying'> },
): Promise<Subject | 'expired' | 'invalid'> => {
  const recalled = await recallToken(token, { nowMs, keys })
  if (recalled !== undefined) return recalled
  const keyOf = async ({ kid }: { kid?: string | undefined }) => {
    const key = await keys.verifying(kid ?? '')
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: 'bakter',
      audience: 'bakter',
      currentDate: new Date(nowMs),
    })
    const claims = AccessTokenClaims.safeParse(payload)
    if (!claims.success) return 'invalid'
    const subject = { userId: claims.data.sub, sessionId: claims.data.sid }
    const verified = { subject, kid: protectedHeader.kid ?? '', expiresAtMs: claims.data.exp * 1_000 }
    rememberToken(token, verified, { keys })
    return subject
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError) return 'invalid'
    // The key could not be read, which says nothing about the token.
    throw error
  }
}
