import { expect, test } from 'vitest'
import { createAttemptKeys } from '../../../../src/lib/browser-client/attempt-keys.ts'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import { keptAttemptsIn } from '../../../../src/lib/browser-client/kept-attempts.ts'

const PATH = '/api/ticket/1/messages'

/** The storage of a tab, and pages that are loaded in it one after the other. */
const tab = () => {
  const rows = new Map<string, string>()
  const storage = {
    getItem: (name: string) => rows.get(name) ?? null,
    setItem: (name: string, value: string) => void rows.set(name, value),
    removeItem: (name: string) => void rows.delete(name),
  }
  let made = 0
  const newId = () => `k${(made += 1)}`
  return {
    rows,
    load: () =>
      createAttemptKeys(
        newId,
        keptAttemptsIn(() => storage),
      ),
  }
}

const killed = new ApiFailure({ code: 'OFFLINE', status: 0, message: 'the site was killed' })

test('the same text after a reload is the same attempt, another one is another, and what was answered is forgotten', async () => {
  const { rows, load } = tab()
  const lost = load().send(PATH, { message: 'Help' }, () => Promise.reject(killed))
  await expect(lost).rejects.toThrow('the site was killed')
  const reloaded = load()
  expect(await reloaded.send(PATH, { message: 'Help' }, (key) => Promise.resolve(key))).toBe('k1')
  expect([...rows]).toEqual([])
  expect(await load().send(PATH, { message: 'Help' }, (key) => Promise.resolve(key))).toBe('k2')
  expect(load().keyFor(PATH, { message: 'one' })).toBe('k3')
  expect(load().keyFor(PATH, { message: 'two' })).toBe('k4')
  expect(load().keyFor('/api/ticket', { message: 'two' })).toBe('k5')
})

test('a browser without room, or with something else in its place, has the attempts of its page', () => {
  const full = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  let made = 0
  const newId = () => `k${(made += 1)}`
  const none = createAttemptKeys(
    newId,
    keptAttemptsIn(() => ({ getItem: full, setItem: full, removeItem: full })),
  )
  expect([none.keyFor(PATH, 1), none.keyFor(PATH, 1)]).toEqual(['k1', 'k1'])
  none.settle(PATH)
  const odd = { getItem: () => '{"key":1', setItem: full, removeItem: () => {} }
  expect(
    createAttemptKeys(
      newId,
      keptAttemptsIn(() => odd),
    ).keyFor(PATH, 1),
  ).toBe('k2')
})
