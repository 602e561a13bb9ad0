import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '#platform/seal.ts'
import { mintAccessToken } from '../../../src/identity/keys/access-tokens.ts'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import { finishLogin, login } from '../../../src/identity/sign-in/login.ts'
import { announceEnds } from '../../../src/identity/sessions/session-ends.ts'
import { secretHash } from '../../../src/identity/context/secret-hash.ts'
import { olderSealKey } from '../../../src/identity/context/signing-keys.ts'
import { refreshSession } from '../../../src/identity/sessions/sessions.ts'
import { createIdentity, IDENTITY_MIGRATIONS, SEAL_SECRET } from '../../support/identity-context.ts'
import type { TestIdentity } from '../../support/identity-context.ts'
import { PASSWORD, somewhere } from '../../support/people.ts'

let site: TestIdentity
const session = { alive: '', ended: '', refresh: 'a refresh token from before', access: '' }
const FIRST = '0001_identity.sql'
const run = async (name: string) => site.context.db.query(await readFile(`${IDENTITY_MIGRATIONS}/${name}`, 'utf8'))

/** The rows of the first release: a person who is signed in, a session that has ended, and its signing key. */
const fillAsBefore = async () => {
  const { db, ids, clock } = site.context
  const [userId, kid, now] = [ids.next(), ids.next(), new Date(clock.now())]
  await db.query(
    `insert into public.users (id, username, identifier, email, verified, language, created_at, updated_at)
     values ($1, 'anna', 'acdefghj', 'anna@example.test', true, 'hu', $2, $2)`,
    [userId, now],
  )
  await db.query('insert into identity.credentials values ($1, $2, $3)', [userId, `hash of ${PASSWORD}`, now])
  ;[session.alive, session.ended] = [ids.next(), ids.next()]
  for (const id of [session.alive, session.ended])
    await db.query(
      `insert into identity.sessions (id, user_id, created_at, last_used_at, expires_at, address, user_agent)
       values ($1, $2, $3, $3, $3::timestamptz + interval '14 days', '10.0.0.1', 'before')`,
      [id, userId, now],
    )
  await db.query(`update identity.sessions set ended_at = $2, end_reason = 'logout' where id = $1`, [
    session.ended,
    now,
  ])
  await db.query(
    `insert into identity.refresh_tokens (hash, session_id, issued_at, expires_at)
     values ($1, $2, $3, $3::timestamptz + interval '14 days')`,
    [secretHash(session.refresh), session.alive, now],
  )
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  await db.query(
    'insert into identity.signing_keys (kid, public_x, sealed_private, created_at) values ($1, $2, $3, $4)',
    [
      kid,
      publicKey.export({ format: 'jwk' }).x,
      seal(der, { key: olderSealKey(SEAL_SECRET), label: kid, nonce: ids.bytes(12) }),
      now,
    ],
  )
  const subject = { userId, sessionId: session.alive }
  session.access = await mintAccessToken({ subject, nowMs: clock.now(), ids, key: { kid, privateKey, publicKey } })
}

beforeAll(async () => {
  site = await createIdentity()
  await site.context.db.query('drop schema identity cascade')
  await run(FIRST)
  await fillAsBefore()
  for (const name of (await readdir(IDENTITY_MIGRATIONS)).sort()) if (name !== FIRST) await run(name)
})
afterAll(() => site.close())

test('sessions from before stay signed in, and sign in again without a second factor', async () => {
  const headers = new Headers({ authorization: `Bearer ${session.access}` })
  expect(await authenticate(site.context, headers, false)).toMatchObject({ ok: true })
  expect(await refreshSession(site.context, session.refresh)).toMatchObject({ ok: true })
  const attempt = { name: 'anna@example.test', password: PASSWORD, device: null }
  expect(await login(site.context, attempt, somewhere())).toMatchObject({ ok: true })
  const challenge = { token: 'none', browser: null }
  const step = finishLogin(site.context, { challenge, code: '000000', device: null }, somewhere())
  expect(await step).toEqual({ ok: false, code: 'TOKEN_EXPIRED' })
})

test('ended sessions are not announced again', async () => {
  const told: string[] = []
  const announce = ({ sessionId }: { sessionId: string }) => Promise.resolve(void told.push(sessionId))
  await announceEnds({ context: site.context, announce, onFailure: () => {} })
  expect(told).toEqual([])
})
