import { createHmac, generateKeyPairSync } from 'node:crypto'

import { SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'

import { ConsoleTokens } from '../../../agents/http/console-token.ts'
import { NODE_ID, SERVER_ID, SESSION_ID, USER_ID, nextId } from '../../factories/server-spec.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

const signing = generateKeyPairSync('ed25519')
const x = String(signing.publicKey.export({ format: 'jwk' }).x)
let clock: ManualClock
let tokens: ConsoleTokens
const second = () => Math.floor(clock.now() / 1_000)

beforeEach(async () => {
  clock = new ManualClock()
  clock.set(Date.UTC(2030, 0, 1))
  tokens = new ConsoleTokens(clock, () => NODE_ID)
  await tokens.learn([{ kid: 'key', x }])
})

const claims = (change: Record<string, unknown> = {}) => ({
  iss: 'bakter-control-plane',
  aud: NODE_ID,
  sub: USER_ID,
  sid: SESSION_ID,
  jti: nextId(),
  iat: second(),
  exp: second() + 600,
  purpose: 'console',
  server: SERVER_ID,
  permissions: ['console.read'],
  ...change,
})
const signed = (change: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  new SignJWT(claims(change)).setProtectedHeader({ alg: 'EdDSA', kid: 'key', ...header }).sign(signing.privateKey)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const isGood = async (token: string) => (await tokens.read(token, SERVER_ID)).ok

describe('console tokens', () => {
  it('open a socket when the control plane signed them, as often as they are shown before they expire', async () => {
    const token = await signed()
    expect(await isGood(token)).toBe(true)
    expect(await isGood(token)).toBe(true)
  })

  it.each(['none', 'None', 'NONE', ''])('are refused with the algorithm %j [P2, case 129]', async (alg) => {
    for (const signature of ['', 'AA']) {
      expect(await isGood(`${part({ alg, kid: 'key' })}.${part(claims())}.${signature}`)).toBe(false)
    }
  })

  it('are refused with a symmetric signature made with the public key [P2, case 129]', async () => {
    const head = `${part({ alg: 'HS256', kid: 'key' })}.${part(claims())}`
    for (const secret of [x, Buffer.from(x, 'base64url')]) {
      expect(await isGood(`${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`)).toBe(false)
    }
  })

  it.each(['', '__proto__', 'constructor', 'KEY', '../key'])('are refused with the key id %j [P2]', async (kid) => {
    expect(await isGood(await signed({}, { kid }))).toBe(false)
  })

  it('are not verified with a key that they contain [P2, case 129]', async () => {
    const own = generateKeyPairSync('ed25519')
    const jwk = own.publicKey.export({ format: 'jwk' })
    for (const header of [{ jwk }, { jku: 'http://evil.test/keys' }, { x5u: 'http://evil.test/' }]) {
      const token = new SignJWT(claims()).setProtectedHeader({ alg: 'EdDSA', kid: 'key', ...header })
      expect(await isGood(await token.sign(own.privateKey))).toBe(false)
    }
  })

  it.each([
    ['no end', { exp: undefined }],
    ['no beginning', { iat: undefined }],
    ['an end that is a text', { exp: '9999999999' }],
    ['no session field', { sid: undefined }],
    ['a permission that does not exist', { permissions: ['root'] }],
    ['permissions that are a text', { permissions: 'console.read' }],
    ['several audiences of which none is alone', { aud: [NODE_ID, SERVER_ID] }],
    ['a server with something after it', { server: `${SERVER_ID}/` }],
    ['a purpose in a list', { purpose: ['console'] }],
  ])('are refused with %s [P2, case 129]', async (_name, change) => {
    expect(await isGood(await signed(change))).toBe(false)
  })

  it.each([
    ['an end 59 s ago', { exp: -59 }, true],
    ['an end 61 s ago', { exp: -61 }, false],
    ['a beginning in 60 s', { iat: 60 }, true],
    ['a beginning in 62 s', { iat: 62 }, false],
    ['a time in 59 s before which it is nothing', { nbf: 59 }, true],
    ['a time in 62 s before which it is nothing', { nbf: 62 }, false],
  ])('tolerate 60 s between the clocks and no more: %s [fault 28]', async (_name, offset, good) => {
    const times = Object.fromEntries(Object.entries(offset).map(([name, seconds]) => [name, second() + seconds]))
    expect(await isGood(await signed(times))).toBe(good)
  })

  it('are refused with a key that the control plane no longer names [P2]', async () => {
    const token = await signed()
    await tokens.learn([])
    expect(await isGood(token)).toBe(false)
  })

  it.each(['', '.', '..', 'a.b.c', '{}', 'x'.repeat(4_096), '\uD800.\0.\uD800'])('are refused as %j', async (text) => {
    expect(await isGood(text)).toBe(false)
  })
})
