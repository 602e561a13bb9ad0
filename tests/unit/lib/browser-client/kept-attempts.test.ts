import { expect, test } from 'vitest'
import { createAttemptKeys } from '../../../../src/lib/browser-client/attempt-keys.ts'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import { keptAttemptsIn } from '../../../../src/lib/browser-client/kept-attempts.ts'

const DRAFT = 'draft:anna:1'
const HELP = { message: 'Help, my base is at 100 64 -200' }
const MINUTE_MS = 60_000
const lost = new ApiFailure({ code: 'OFFLINE', status: 0, message: 'the site was killed' })

/** A browser, and the pages that are loaded in it, one after the other or beside each other. */
const browser = () => {
  const rows = new Map<string, string>()
  const storage = {
    getItem: (name: string) => rows.get(name) ?? null,
    setItem: (name: string, value: string) => void rows.set(name, value),
    removeItem: (name: string) => void rows.delete(name),
  }
  const clock = { nowMs: Date.UTC(2026, 5, 1) }
  let made = 0
  return {
    rows,
    clock,
    load: () => {
      const kept = keptAttemptsIn(
        () => storage,
        () => clock.nowMs,
      )
      const { send } = createAttemptKeys(() => `k${(made += 1)}`, kept)
      return {
        forget: kept.forget,
        answer: (body: object, draft = DRAFT) => send(draft, body, (key) => Promise.resolve(key)),
        /** Resolves with the key of an attempt whose answer is lost. */
        lose: async (body: object, draft = DRAFT) => {
          let used = ''
          const sent = send(draft, body, (key) => {
            used = key
            return Promise.reject(lost)
          })
          await expect(sent).rejects.toThrow('the site was killed')
          return used
        },
      }
    },
  }
}

test('the same text after its tab was closed is the same attempt, another one is another, and what was answered is forgotten', async () => {
  const { rows, load } = browser()
  await load().lose(HELP)
  expect(await load().answer(HELP)).toBe('k1')
  expect([...rows]).toEqual([])
  expect(await load().answer(HELP)).toBe('k2')
  expect(await load().lose({ message: 'one' })).toBe('k3')
  expect(await load().lose({ message: 'two' })).toBe('k4')
})

test('two people of one browser, and two drafts of one person, have attempts of their own', async () => {
  const { load } = browser()
  const drafts = ['draft:anna:new', 'draft:bence:new', 'draft:anna:after-1']
  for (const draft of drafts) await load().lose(HELP, draft)
  const page = load()
  expect([
    await page.answer(HELP, 'draft:anna:new'),
    await page.answer(HELP, 'draft:bence:new'),
    await page.answer(HELP, 'draft:anna:after-1'),
  ]).toEqual(['k1', 'k2', 'k3'])
})

test('of two tabs neither loses the attempt of the other one', async () => {
  const { load } = browser()
  const [one, other] = [load(), load()]
  expect([await one.lose(HELP), await other.lose(HELP), await other.lose({ message: 'edited' })]).toEqual([
    'k1',
    'k1',
    'k2',
  ])
  expect(await one.answer(HELP)).toBe('k1')
  expect(await load().answer({ message: 'edited' })).toBe('k2')
})

test('a text that was edited, sent and changed back is still its own attempt', async () => {
  const { load } = browser()
  await load().lose(HELP)
  await load().lose({ message: 'edited' })
  expect(await load().answer(HELP)).toBe('k1')
})

test('the same words after the draft was emptied are another message', async () => {
  const { rows, load } = browser()
  const page = load()
  await page.lose(HELP)
  page.forget(DRAFT)
  expect([...rows]).toEqual([])
  expect(await page.answer(HELP)).toBe('k2')
})

test('an attempt ends an hour after it was tried last, in its page and after it', async () => {
  const { clock, load } = browser()
  const page = load()
  await page.lose(HELP)
  clock.nowMs += 59 * MINUTE_MS
  expect(await page.lose(HELP)).toBe('k1')
  clock.nowMs += 59 * MINUTE_MS
  expect(await load().lose(HELP)).toBe('k1')
  clock.nowMs += 61 * MINUTE_MS
  expect(await page.lose(HELP)).toBe('k2')
  clock.nowMs += 61 * MINUTE_MS
  expect(await load().lose(HELP)).toBe('k3')
})

test('no word of a text is kept with its attempt', async () => {
  const { rows, load } = browser()
  await load().lose(HELP)
  expect([...rows.keys()]).toEqual([`${DRAFT}:attempts`])
  expect([...rows.values()].join()).toContain('k1')
  for (const word of ['Help', 'base', '100']) expect([...rows.values()].join()).not.toContain(word)
})

test('a browser without room, or with something else in its place, has the attempts of its page', async () => {
  const full = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  let made = 0
  const pageIn = (storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) => {
    const kept = keptAttemptsIn(
      () => storage,
      () => 0,
    )
    const { send } = createAttemptKeys(() => `k${(made += 1)}`, kept)
    return {
      forget: kept.forget,
      lose: async () => {
        const used: string[] = []
        const sent = send(DRAFT, HELP, (key) => {
          used.push(key)
          return Promise.reject(lost)
        })
        await expect(sent).rejects.toThrow(lost)
        return used.join()
      },
    }
  }
  const none = pageIn({ getItem: full, setItem: full, removeItem: full })
  expect([await none.lose(), await none.lose()]).toEqual(['k1', 'k1'])
  none.forget(DRAFT)
  expect(await none.lose()).toBe('k2')
  const odd = pageIn({ getItem: () => '[{"key":1', setItem: full, removeItem: () => {} })
  expect([await odd.lose(), await odd.lose()]).toEqual(['k3', 'k3'])
})
