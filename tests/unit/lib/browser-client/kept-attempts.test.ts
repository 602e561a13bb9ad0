import { expect, test } from 'vitest'
import { createAttemptKeys } from '../../../../src/lib/browser-client/attempt-keys.ts'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import { keptAttemptsIn } from '../../../../src/lib/browser-client/kept-attempts.ts'
import { textSign } from '../../../../src/lib/browser-client/text-sign.ts'

const NAME = 'draft:anna:ticket'
const HOUR_MS = 3_600_000

/** The storage of a browser, and pages that are loaded in it one after the other. */
const browser = () => {
  const rows = new Map<string, string>()
  const storage = {
    getItem: (name: string) => rows.get(name) ?? null,
    setItem: (name: string, value: string) => void rows.set(name, value),
    removeItem: (name: string) => void rows.delete(name),
  }
  const clock = { nowMs: 0 }
  let made = 0
  const newId = () => `k${(made += 1)}`
  return {
    rows,
    clock,
    load: () =>
      createAttemptKeys(
        newId,
        keptAttemptsIn(
          () => storage,
          () => clock.nowMs,
        ),
        textSign,
      ),
  }
}

const killed = new ApiFailure({ code: 'OFFLINE', status: 0, message: 'the site was killed' })

test('the same text on a page that is opened later is the same attempt, another one is another, and what was answered is forgotten', async () => {
  const { rows, load } = browser()
  const lost = load().send(NAME, { message: 'Help' }, () => Promise.reject(killed))
  await expect(lost).rejects.toThrow('the site was killed')
  const opened = load()
  expect(await opened.send(NAME, { message: 'Help' }, (key) => Promise.resolve(key))).toBe('k1')
  expect([...rows]).toEqual([])
  expect(await load().send(NAME, { message: 'Help' }, (key) => Promise.resolve(key))).toBe('k2')
  expect(load().keyFor(NAME, { message: 'one' })).toBe('k3')
  expect(load().keyFor(NAME, { message: 'two' })).toBe('k4')
  expect(load().keyFor('draft:bence:ticket', { message: 'two' })).toBe('k5')
  expect(load().keyFor(NAME, { message: 'two' })).toBe('k4')
})

test('an attempt ends after an hour: the same text is a second message then, on its page too', () => {
  const { clock, load } = browser()
  const page = load()
  expect(page.keyFor(NAME, { message: 'Help' })).toBe('k1')
  clock.nowMs = HOUR_MS - 1
  expect([page.keyFor(NAME, { message: 'Help' }), load().keyFor(NAME, { message: 'Help' })]).toEqual(['k1', 'k1'])
  clock.nowMs = HOUR_MS
  expect(load().keyFor(NAME, { message: 'Help' })).toBe('k2')
  expect(page.keyFor(NAME, { message: 'Help' })).toBe('k3')
})

test('the text itself is not kept with its attempt', () => {
  const { rows, load } = browser()
  load().keyFor(NAME, { message: 'Careful with her' })
  expect([...rows.keys()]).toEqual([`${NAME}:attempt`])
  expect([...rows.values()].join(' ')).not.toContain('Careful')
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
  expect([none.keyFor(NAME, 1), none.keyFor(NAME, 1)]).toEqual(['k1', 'k1'])
  none.settle(NAME)
  const odd = { getItem: () => '{"key":1', setItem: full, removeItem: () => {} }
  expect(
    createAttemptKeys(
      newId,
      keptAttemptsIn(() => odd),
    ).keyFor(NAME, 1),
  ).toBe('k2')
})
