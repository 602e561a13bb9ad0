import { expect, test } from 'vitest'
import { draftsIn } from '../../../../../src/features/support/writing/ticket-draft.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const place = { userId: 'anna', ticket: 'new' }

test('a draft is found again by the same person in the same ticket, and by nobody else', () => {
  const store = storage()
  const drafts = draftsIn(() => store)
  expect(drafts.keep(place, { title: 'It stops', message: 'Every night' })).toBe(true)
  expect(draftsIn(() => store).read(place)).toEqual({ title: 'It stops', message: 'Every night' })
  expect(drafts.read({ ...place, userId: 'bence' })).toEqual({})
  expect(drafts.read({ ...place, ticket: 't-1' })).toEqual({})
  drafts.forget(place)
  expect(drafts.read(place)).toEqual({})
})

test('a reply to a ticket that was merged goes to the other one, below the words that are there', () => {
  const store = storage()
  const drafts = draftsIn(() => store)
  const target = { userId: 'anna', ticket: 'target' }
  drafts.keep(target, { message: 'First' })
  drafts.keep({ userId: 'anna', ticket: 'merged' }, { message: 'Half a reply' })
  for (let again = 0; again < 2; again += 1) drafts.move({ userId: 'anna', ticket: 'merged' }, 'target')
  expect(drafts.read(target)).toEqual({ message: 'First\n\nHalf a reply' })
  expect(drafts.read({ userId: 'anna', ticket: 'merged' })).toEqual({})
})

test('a draft without a word is none, and takes the one before away', () => {
  const store = storage()
  const drafts = draftsIn(() => store)
  drafts.keep(place, { message: 'Every night' })
  expect(drafts.keep(place, { title: '', message: ' \n' })).toBe(false)
  expect(store.kept.size).toBe(0)
})

test.each(['{', 'null', '[1]', '{"message": 5}', '"text"'])('%s in the storage is no draft', (text) => {
  const store = storage()
  draftsIn(() => store).keep(place, { message: 'x' })
  for (const key of store.kept.keys()) store.kept.set(key, text)
  expect(draftsIn(() => store).read(place)).toEqual({})
})

test('a browser that refuses to store anything keeps no draft, and says so', () => {
  const drafts = draftsIn(() => {
    throw new Error('switched off')
  })
  expect(drafts.keep(place, { message: 'x' })).toBe(false)
  expect(drafts.read(place)).toEqual({})
  expect(() => drafts.forget(place)).not.toThrow()
})
