import { generateKeyPairSync } from 'node:crypto'
import { errors, SignJWT, type JWTVerifyGetKey } from 'jose'
import { describe, expect, it } from 'vitest'
import { authenticate } from '../../../../../control-plane/api/gateway/authenticate.ts'
import { silentLog } from '#platform/logger.ts'
import type { Database } from '#platform/postgres/database.ts'

const pair = generateKeyPairSync('ed25519')
const USER = '01a1fbf4-f950-70ac-a31a-dc301d8641a5'
const SESSION = '01a1fbf4-f950-70ac-a31a-dc301d8641a6'
const ID = '01a1fbf4-f950-70ac-a31a-dc301d8641a7'
const NOW_S = 1_780_000_000

type Making = { typ?: string; claims?: Record<string, unknown>; signer?: typeof pair.privateKey }
const token = ({ typ = 'at+jwt', claims, signer = pair.privateKey }: Making = {}) =>
  new SignJWT({
    iss: 'bakter',
    aud: typ === 'at+jwt' ? 'bakter' : 'bakter-gateway',
    sub: USER,
    sid: SESSION,
    jti: ID,
    iat: NOW_S,
    exp: NOW_S + 900,
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'k', typ })
    .sign(signer)

const own: JWTVerifyGetKey = () => Promise.resolve(pair.publicKey)
type Rows = (text: string) => object[]
const ask = async (
  made: string | null,
  { keys = own, rows = () => [] }: { keys?: JWTVerifyGetKey; rows?: Rows } = {},
) => {
  const query = (text: string) => Promise.resolve().then(() => rows(text))
  const db = { query } as unknown as Database
  return authenticate(made, { db, keys, clock: { now: () => NOW_S * 1_000 }, log: silentLog })
}
const fails =
  (error: Error): JWTVerifyGetKey =>
  () =>
    Promise.reject(error)
const taken: Rows = (text) => (text.includes('used_gateway_tickets') ? [{}] : [])

describe('a socket’s token', () => {
  it('names its person and session', async () => {
    expect(await ask(await token())).toEqual({ ok: true, reader: { userId: USER, sessionId: SESSION } })
  })

  it('may be a ticket, which counts once', async () => {
    const ticket = await token({ typ: 'gateway-ticket+jwt' })
    expect(await ask(ticket, { rows: taken })).toMatchObject({ ok: true })
    expect(await ask(ticket)).toEqual({ ok: false, code: 'used' })
  })

  it.each<[string, Making, string]>([
    ['of another key', { signer: generateKeyPairSync('ed25519').privateKey }, 'invalid'],
    ['of another kind', { typ: 'jwt' }, 'invalid'],
    ['for the site in place of the gateway', { typ: 'gateway-ticket+jwt', claims: { aud: 'bakter' } }, 'invalid'],
    ['of another issuer', { claims: { iss: 'other' } }, 'invalid'],
    ['without a session', { claims: { sid: undefined } }, 'invalid'],
    ['that has expired', { claims: { exp: NOW_S - 61 } }, 'expired'],
  ])('%s is refused', async (_name, making, code) => {
    expect(await ask(await token(making), { rows: taken })).toEqual({ ok: false, code })
  })

  it.each([null, '', 'x'.repeat(4_097)])('is needed: %.9s', async (none) => {
    expect(await ask(none)).toEqual({ ok: false, code: 'no-token' })
  })

  it('of an ended session is refused', async () => {
    const rows: Rows = (text) => (text.includes('ended_sessions') ? [{}] : [])
    expect(await ask(await token(), { rows })).toEqual({ ok: false, code: 'session-ended' })
  })

  it.each([new errors.JWKSTimeout(), new TypeError('fetch failed'), new errors.JOSEError('bad answer')])(
    'is not called invalid while the keys cannot be read: %s',
    async (error) => {
      expect(await ask(await token(), { keys: fails(error) })).toEqual({ ok: false, code: 'keys-unavailable' })
    },
  )

  it('is not called invalid when the database fails', async () => {
    const rows: Rows = () => {
      throw new Error('the disk is full')
    }
    await expect(ask(await token(), { rows })).rejects.toThrow('the disk is full')
  })
})
