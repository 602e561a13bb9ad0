import { generateKeyPairSync, type KeyObject } from 'node:crypto'

import fc from 'fast-check'
import { importJWK, SignJWT } from 'jose'
import { beforeAll, expect, it } from 'vitest'

import { ConsoleTokens } from '../../../../agents/http/console-token.ts'
import { ARCHIVE_TOKEN_TYPE, CONSOLE_TOKEN_SECONDS, TOKEN_SKEW_SECONDS } from '../../../../src/contracts/panel/token.ts'
import { NODE_ID, SERVER_ID, SESSION_ID, USER_ID } from '../../../factories/server-spec.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

// Fault 28: the clocks of control plane and node may differ by a minute, in each direction, at both ends of a token's life.
const pair = generateKeyPairSync('ed25519')
const clock = new ManualClock()
const tokens = new ConsoleTokens(clock, () => NODE_ID)
const ISSUED_AT = 1_780_000_000

beforeAll(async () => {
  await tokens.learn([{ kid: 'k', x: pair.publicKey.export({ format: 'jwk' }).x ?? '' }])
})

type Making = { signer?: KeyObject; header?: { kid?: string; typ?: string }; claims?: Record<string, unknown> }
const token = async ({ signer = pair.privateKey, header, claims }: Making = {}): Promise<string> => {
  const key = await importJWK(signer.export({ format: 'jwk' }), 'EdDSA')
  return new SignJWT({
    iss: 'bakter-control-plane',
    aud: NODE_ID,
    sub: USER_ID,
    sid: SESSION_ID,
    jti: SESSION_ID,
    iat: ISSUED_AT,
    exp: ISSUED_AT + CONSOLE_TOKEN_SECONDS,
    purpose: 'console',
    server: SERVER_ID,
    permissions: ['console.read'],
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'k', ...header })
    .sign(key)
}
/** Whether the node takes the token so long after its issue, with a clock that is `offSeconds` ahead. */
const isTaken = async (ageSeconds: number, offSeconds: number): Promise<boolean> => {
  clock.set((ISSUED_AT + ageSeconds + offSeconds) * 1_000)
  return (await tokens.read(await token(), SERVER_ID)).ok
}

it.each([
  ['a fresh token', 0, -59, true],
  ['a fresh token', 0, -60, true],
  ['a fresh token', 0, -61, false],
  ['a token in its last second', CONSOLE_TOKEN_SECONDS - 1, 59, true],
  ['a token in its last second', CONSOLE_TOKEN_SECONDS - 1, 60, true],
  ['a token in its last second', CONSOLE_TOKEN_SECONDS - 1, 61, false],
  ['a token that ended 59 s ago', CONSOLE_TOKEN_SECONDS + 59, 0, true],
  ['a token that ended 60 s ago', CONSOLE_TOKEN_SECONDS + 60, 0, false],
  ['a token that ended 61 s ago', CONSOLE_TOKEN_SECONDS + 61, 0, false],
  ['a token of the next minute', -59, 0, true],
  ['a token of the minute after', -61, 0, false],
  ['a fresh token', 0, 3_600, false],
  ['a fresh token', 0, -3_600, false],
])('%s (%i s after its issue) on a clock that is %i s ahead: taken is %s [fault 28]', async (_, at, off, taken) => {
  expect(await isTaken(at, off)).toBe(taken)
})

it('a living token is taken on every clock that is no more than the tolerance off [fault 28]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: CONSOLE_TOKEN_SECONDS - 1 }),
      fc.integer({ min: -TOKEN_SKEW_SECONDS, max: TOKEN_SKEW_SECONDS }),
      (at, off) => isTaken(at, off),
    ),
    { numRuns: 100 },
  )
})

it('and none beyond its life and the tolerance, whatever the clock says [fault 28]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -100_000, max: 100_000 }), async (seconds) => {
      const isWithin = seconds >= -TOKEN_SKEW_SECONDS && seconds < CONSOLE_TOKEN_SECONDS + TOKEN_SKEW_SECONDS
      expect(await isTaken(seconds, 0)).toBe(isWithin)
    }),
    { numRuns: 100 },
  )
})

const OTHER_ID = '01900000-0000-7000-8000-0000000000ff'
const stranger = generateKeyPairSync('ed25519').privateKey
const OF_AN_ARCHIVE = { header: { typ: ARCHIVE_TOKEN_TYPE }, claims: { purpose: 'archive', permissions: undefined } }

it('a token carries its claims', async () => {
  clock.set(ISSUED_AT * 1_000)
  expect(await tokens.read(await token(), SERVER_ID)).toMatchObject({
    ok: true,
    claims: { sub: USER_ID, server: SERVER_ID, permissions: ['console.read'] },
  })
  expect(await tokens.readArchive(await token(OF_AN_ARCHIVE), SERVER_ID)).toMatchObject({ ok: true })
})

it.each<[string, Making]>([
  ['for another server', { claims: { server: OTHER_ID } }],
  ['for another node', { claims: { aud: OTHER_ID } }],
  ['for an archive', OF_AN_ARCHIVE],
  ['of an unknown key', { header: { kid: 'other' } }],
  ['with the signature of another key', { signer: stranger }],
  ['without permissions', { claims: { permissions: undefined } }],
])('a token %s opens no console', async (_name, making) => {
  clock.set(ISSUED_AT * 1_000)
  expect(await tokens.read(await token(making), SERVER_ID)).toEqual({ ok: false, code: 'INVALID_TOKEN' })
})

it.each<[string, Making]>([
  ['for another server', { ...OF_AN_ARCHIVE, claims: { ...OF_AN_ARCHIVE.claims, server: OTHER_ID } }],
  ['for another node', { ...OF_AN_ARCHIVE, claims: { ...OF_AN_ARCHIVE.claims, aud: OTHER_ID } }],
  ['for a console', {}],
  ['for an archive by its claims alone', { claims: OF_AN_ARCHIVE.claims }],
])('a token %s opens no archive', async (_name, making) => {
  clock.set(ISSUED_AT * 1_000)
  expect(await tokens.readArchive(await token(making), SERVER_ID)).toEqual({ ok: false, code: 'INVALID_TOKEN' })
})
