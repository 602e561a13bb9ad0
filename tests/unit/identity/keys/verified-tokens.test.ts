import { generateKeyPairSync } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { v7 } from 'uuid'
import { mintAccessToken, verifyAccessToken } from '../../../../src/identity/keys/access-tokens.ts'
import { recallToken, rememberToken } from '../../../../src/identity/keys/verified-tokens.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

const pair = generateKeyPairSync('ed25519')
const key = { kid: 'key-1', ...pair }
const ids = { next: () => v7(), bytes: (length: number) => new Uint8Array(length) }
const subject = { userId: v7(), sessionId: v7() }
const keysOf = () => ({
  verifying: vi.fn<(kid: string) => Promise<typeof pair.publicKey | null>>((kid) =>
    Promise.resolve(kid === key.kid ? pair.publicKey : null),
  ),
})

test('a token is remembered under its own keys, and counts until it ends', async () => {
  const clock = new ManualClock()
  const keys = keysOf()
  const token = await mintAccessToken({ subject, nowMs: clock.now(), ids, key })
  const verify = () => verifyAccessToken(token, { nowMs: clock.now(), keys })
  expect(await recallToken(token, { nowMs: clock.now(), keys })).toBeUndefined()
  expect(await verify()).toEqual(subject)
  expect(await recallToken(token, { nowMs: clock.now(), keys })).toEqual(subject)
  expect(await recallToken(token, { nowMs: clock.now(), keys: keysOf() })).toBeUndefined()
  clock.advance(899_999)
  expect(await verify()).toEqual(subject)
  clock.advance(1)
  expect(await recallToken(token, { nowMs: clock.now(), keys })).toBeUndefined()
  expect(await verify()).toBe('expired')
})

test('a remembered token ends with the key that signed it', async () => {
  const clock = new ManualClock()
  const keys = keysOf()
  const token = await mintAccessToken({ subject, nowMs: clock.now(), ids, key })
  await verifyAccessToken(token, { nowMs: clock.now(), keys })
  keys.verifying.mockResolvedValue(null)
  expect(await verifyAccessToken(token, { nowMs: clock.now(), keys })).toBe('invalid')
})

test('a token with another signature is not the one that is remembered', async () => {
  const clock = new ManualClock()
  const keys = keysOf()
  const token = await mintAccessToken({ subject, nowMs: clock.now(), ids, key })
  await verifyAccessToken(token, { nowMs: clock.now(), keys })
  const forged = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
  expect(await verifyAccessToken(forged, { nowMs: clock.now(), keys })).toBe('invalid')
})

test('the oldest token makes room, so that memory stays bounded', async () => {
  const keys = keysOf()
  const verified = { subject, kid: key.kid, expiresAtMs: 1_000 }
  for (const token of ['a', 'b', 'c']) rememberToken(token, verified, { keys, maxTokens: 2 })
  const known = async (token: string) => (await recallToken(token, { nowMs: 0, keys })) !== undefined
  expect([await known('a'), await known('b'), await known('c')]).toEqual([false, true, true])
})
