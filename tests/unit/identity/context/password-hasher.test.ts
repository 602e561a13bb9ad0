import { describe, expect, test } from 'vitest'
import {
  HasherBusy,
  boundedQueue,
  createPasswordHasher,
  isHasherBusy,
} from '../../../../src/identity/context/password-hasher.ts'

describe('the queue', () => {
  test('runs no more than its width at once, and everything in the end', async () => {
    const queue = boundedQueue({ concurrency: 2, maxWaiting: 100 })
    let active = 0
    let most = 0
    const work = async () => {
      active += 1
      most = Math.max(most, active)
      await new Promise((done) => setImmediate(done))
      active -= 1
    }
    await Promise.all(Array.from({ length: 50 }, () => queue(work)))
    expect(most).toBe(2)
    expect(active).toBe(0)
  })

  test('refuses what would wait too long, and goes on after a failure', async () => {
    const queue = boundedQueue({ concurrency: 1, maxWaiting: 1 })
    const first = queue(() => Promise.reject(new Error('fails')))
    const second = queue(() => Promise.resolve('waited'))
    await expect(queue(() => Promise.resolve('too many'))).rejects.toThrow(HasherBusy)
    await expect(first).rejects.toThrow('fails')
    expect(await second).toBe('waited')
    expect(await queue(() => Promise.resolve('again'))).toBe('again')
  })
})

describe('a crowd of sign-ins', () => {
  test('takes turns: few at a time, a bounded number waits, the rest is told so', async () => {
    const hasher = createPasswordHasher({ concurrency: 1, maxWaiting: 4 })
    let [active, most] = [0, 0]
    const ends: (() => void)[] = []
    const signIn = () =>
      hasher.turn(async () => {
        active += 1
        most = Math.max(most, active)
        await new Promise<void>((resolve) => ends.push(resolve))
        active -= 1
      })
    const all = Array.from({ length: 10 }, () => signIn().catch((error: unknown) => isHasherBusy(error)))
    while (ends.length < 6) {
      for (const end of ends) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const end of ends) end()
    expect((await Promise.all(all)).filter((refused) => refused === true)).toHaveLength(4)
    expect(most).toBe(2)
  })

  test('is refused by the same word whichever bundle says it', () => {
    const ofAnotherBundle = Object.assign(new Error('Too many passwords wait to be checked.'), { name: 'HasherBusy' })
    expect([ofAnotherBundle, new HasherBusy('x'), new Error('x'), 'HasherBusy'].map(isHasherBusy)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('argon2id', () => {
  test('the stored form names its settings, and long passwords count to the end (case 28)', async () => {
    const hasher = createPasswordHasher()
    const long = 'ő'.repeat(100)
    const stored = await hasher.hash(`${long}a`)
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await hasher.verify(`${long}a`, stored)).toBe(true)
    expect(await hasher.verify(`${long}b`, stored)).toBe(false)
    expect(await hasher.verify(` ${long}a`, stored)).toBe(false)
    expect(await hasher.verify(`${long}a`, null)).toBe(false)
  })

  test('the stand-in for nobody matches no password, not even its own (case 15)', async () => {
    expect(await createPasswordHasher().verify('a password that nobody has', null)).toBe(false)
  })

  test('one password written in two Unicode forms is one password', async () => {
    const hasher = createPasswordHasher()
    expect(await hasher.verify('jelszo\u030B', await hasher.hash('jelsz\u0151'))).toBe(true)
  })
})
