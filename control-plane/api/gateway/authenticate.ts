import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { AccessTokenClaims, GatewayTicketClaims } from '#contracts/http/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** The person and session of a socket. */
export type Reader = { readonly userId: string; readonly sessionId: string }
export type AuthenticationRefusal = 'no-token' | 'invalid' | 'expired' | 'used' | 'session-ended' | 'keys-unavailable'
export type Authentication =
  { readonly ok: true; readonly reader: Reader } | { readonly ok: false; readonly code: AuthenticationRefusal }

export type AuthenticateDeps = Pick<Context, 'db' | 'clock' | 'log'> & {
  /** The site's public keys. */
  keys: JWTVerifyGetKey
}

const KINDS = [
  { typ: 'at+jwt', audience: 'bakter', claims: AccessTokenClaims, single: false },
  { typ: 'gateway-ticket+jwt', audience: 'bakter-gateway', claims: GatewayTicketClaims, single: true },
] as const

const refused = (code: AuthenticationRefusal): Authentication => ({ ok: false, code })

function typeOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('utf8'))
    return typeof header === 'object' && header !== null && 'typ' in header ? String(header.typ) : undefined
  } catch {
    return undefined
  }
}

/** Consumes a ticket: true only the first time, in whichever process. SPEC.md G1. */
async function takeTicket(db: Sql, ticket: { jti: string; exp: number }): Promise<boolean> {
  const rows = await db.query(
    'insert into control.used_gateway_tickets (jti, expires_at) values ($1, $2) on conflict do nothing returning 1',
    [ticket.jti, new Date(ticket.exp * 1_000)],
  )
  return rows.length > 0
}

/** When a session began: its id is a version 7 uuid, which starts with 48 bits of milliseconds. */
const beganAt = ({ sessionId }: Reader): Date =>
  new Date(Number.parseInt(sessionId.replaceAll('-', '').slice(0, 12), 16))

/** Whether this session ended, or all sessions of the user at some time since it began. */
export async function hasEnded(db: Sql, reader: Reader): Promise<boolean> {
  const rows = await db.query(
    `select 1 from control.ended_sessions where user_id = $1
       and (session_id = $2 or session_id is null and ended_at >= $3) limit 1`,
    [reader.userId, reader.sessionId, beganAt(reader)],
  )
  return rows.length > 0
}

/** Checks an access token or a ticket: signature, kind, time, single use, and that its session has not ended. */
export async function authenticate(token: string | null, deps: AuthenticateDeps): Promise<Authentication> {
  if (!token || token.length > 4_096) return refused('no-token')
  const kind = KINDS.find(({ typ }) => typ === typeOf(token))
  if (!kind) return refused('invalid')
  try {
    const { payload } = await jwtVerify(token, deps.keys, {
      algorithms: ['EdDSA'],
      typ: kind.typ,
      issuer: 'bakter',
      audience: kind.audience,
      currentDate: new Date(deps.clock.now()),
    })
    const claims = kind.claims.parse(payload)
    if (kind.single && !(await takeTicket(deps.db, claims))) return refused('used')
    const reader = { userId: claims.sub, sessionId: claims.sid }
    if (await hasEnded(deps.db, reader)) return refused('session-ended')
    return { ok: true, reader }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return refused('expired')
    if (error instanceof errors.JWKSTimeout || error instanceof TypeError) return refused('keys-unavailable')
    if (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') return refused('keys-unavailable')
    if (error instanceof errors.JOSEError || (error instanceof Error && error.name === 'ZodError'))
      return refused('invalid')
    throw error
  }
}
