import { expect, it } from 'vitest'
import { draftsIn } from '@/features/files/editor/draft.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    get length() {
      return kept.size
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const draft = { id: 'w1', text: 'typed', etag: '"1"', atMs: 5 }
const place = { userId: 'u1', serverId: 's1', path: 'a.yml' }

it('is kept for its account, server and path, until it is forgotten', () => {
  const store = storage()
  const drafts = draftsIn(() => store)
  expect(drafts.keep(place, draft)).toBe(true)
  expect(drafts.list(place)).toEqual([draft])
  for (const other of [{ userId: 'u2' }, { serverId: 's2' }, { path: 'b.yml' }, { path: 'a' }, { path: 'a.yml:w1' }]) {
    expect(drafts.list({ ...place, ...other })).toEqual([])
  }
  drafts.forget(place, draft.id)
  expect(drafts.list(place)).toEqual([])
})

it('of one window is neither replaced nor forgotten by another window, and the newest comes first', () => {
  const store = storage()
  const drafts = draftsIn(() => store)
  const other = { id: 'w2', text: 'typed elsewhere', etag: '"2"', atMs: 7 }
  drafts.keep(place, draft)
  drafts.keep(place, other)
  expect(drafts.list(place)).toEqual([other, draft])
  drafts.forget(place, other.id)
  expect(drafts.list(place)).toEqual([draft])
})

it('that is damaged is none', () => {
  const store = storage()
  const drafts = draftsIn(() => store)
  drafts.keep(place, draft)
  const [key = ''] = store.kept.keys()
  for (const text of ['{"text":1}', 'not json']) {
    store.kept.set(key, text)
    expect(drafts.list(place)).toEqual([])
  }
})

it('is said not to be kept by a browser whose storage is full, or forbids even to look at it', () => {
  const full = {
    ...storage(),
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(draftsIn(() => full).keep(place, draft)).toBe(false)
  const forbidden = draftsIn(() => {
    throw new Error('forbidden')
  })
  expect([forbidden.keep(place, draft), forbidden.list(place)]).toEqual([false, []])
  expect(() => forbidden.forget(place, draft.id)).not.toThrow()
})
