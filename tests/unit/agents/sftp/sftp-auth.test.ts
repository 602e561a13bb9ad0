import { randomBytes } from 'node:crypto'

import ssh2, { type AuthContext } from 'ssh2'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import type { LoginAnswer, LoginRequest } from '#contracts/logins/node-login.ts'
import { LoginThrottle } from '../../../../agents/sftp/login-throttle.ts'
import { SftpAuth } from '../../../../agents/sftp/sftp-auth.ts'

type Key = Extract<ReturnType<typeof ssh2.utils.parseKey>, { sign: unknown }>
const makeKey = (type: 'ed25519' | 'rsa'): Key => {
  const options = type === 'rsa' ? { bits: 2_048 } : {}
  for (;;) {
    const key = ssh2.utils.parseKey(ssh2.utils.generateKeyPairSync(type, options as never).private)
    // The library cannot read all of its keys: see `agents/sftp/host-key.ts`.
    if (!(key instanceof Error)) return key as Key
  }
}

let asked: LoginRequest[]
let ended: number
let admitted: number
let auth: SftpAuth
const GRANTED: LoginAnswer = {
  ok: true,
  userId: '01990000-0000-7000-9000-000000000001',
  serverId: '01990000-0000-7000-9000-000000000002',
  permissions: ['file.sftp'],
  credential: { kind: 'ssh key', id: null, sinceMs: 0 },
}

beforeEach(() => {
  asked = []
  ended = 0
  admitted = 0
  auth = new SftpAuth({
    throttle: new LoginThrottle({ now: () => 0 }),
    ask: (request) => {
      asked.push(request)
      return Promise.resolve(GRANTED)
    },
    address: '192.0.2.1',
    admit: () => (admitted += 1) > 0,
    end: () => (ended += 1),
  })
})

const contextOf = (fields: Record<string, unknown>) => {
  const context = { username: 'anna.acdefghk', accept: vi.fn<() => void>(), reject: vi.fn<() => void>(), ...fields }
  return { context, auth: context as unknown as AuthContext }
}
const keyContext = (key: Key, algo: string, more: Record<string, unknown> = {}) =>
  contextOf({ method: 'publickey', key: { algo, data: key.getPublicSSH() }, ...more })

describe('a sign-in by key', () => {
  it('needs the signature of that very key, whatever the site knows of its public half', async () => {
    const [key, other] = [makeKey('ed25519'), makeKey('ed25519')]
    const blob = randomBytes(64)
    for (const signature of [other.sign(blob), randomBytes(64), key.sign(randomBytes(64)), Buffer.alloc(0)]) {
      const { context, auth: offered } = keyContext(key, 'ssh-ed25519', { signature, blob })
      await auth.answer(offered)
      expect([context.accept.mock.calls.length, context.reject.mock.calls.length]).toEqual([0, 1])
    }
    expect([asked, admitted]).toEqual([[], 0])
    const right = keyContext(key, 'ssh-ed25519', { signature: key.sign(blob), blob })
    await new SftpAuth({
      throttle: new LoginThrottle({ now: () => 0 }),
      ask: () => Promise.resolve(GRANTED),
      address: '192.0.2.2',
      admit: () => true,
      end: () => {},
    }).answer(right.auth)
    expect(right.context.accept).toHaveBeenCalledTimes(1)
  })

  it('of RSA is taken with SHA-2 and never with SHA-1, and of no other algorithm', async () => {
    const rsa = makeKey('rsa')
    for (const [algo, hashAlgo, isTaken] of [
      ['ssh-rsa', 'sha256', true],
      ['ssh-rsa', 'sha512', true],
      ['ssh-rsa', undefined, false],
      ['ssh-rsa', 'sha1', false],
      ['ecdsa-sha2-nistp256', undefined, false],
      ['ssh-dss', undefined, false],
    ] as const) {
      const { context, auth: offered } = keyContext(rsa, algo, { hashAlgo })
      await auth.answer(offered)
      expect([algo, hashAlgo, context.accept.mock.calls.length]).toEqual([algo, hashAlgo, isTaken ? 1 : 0])
    }
    expect(admitted).toBe(0)
  })
})

describe('every sign-in', () => {
  it('without a server in its name, or with an empty password, asks nobody', async () => {
    for (const fields of [
      { method: 'password', password: 'x', username: 'anna' },
      { method: 'password', password: 'x', username: 'anna.short' },
      { method: 'password', password: '' },
    ]) {
      const { context, auth: offered } = contextOf(fields)
      await auth.answer(offered)
      expect(context.reject).toHaveBeenCalledTimes(1)
    }
    expect(asked).toEqual([])
  })

  it('splits its name at the last dot, and ends the connection after five tries, the first question not counted', async () => {
    await auth.answer(contextOf({ method: 'none' }).auth)
    await auth.answer(contextOf({ method: 'password', password: 'x', username: 'anna.b.ACDEFGHK' }).auth)
    expect(asked).toMatchObject([{ username: 'anna.b', identifier: 'acdefghk' }])
    for (let tries = 0; tries < 5; tries += 1) await auth.answer(contextOf({ method: 'hostbased' }).auth)
    expect(ended).toBe(1)
  })
})
