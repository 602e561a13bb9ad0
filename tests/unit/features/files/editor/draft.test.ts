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
const DAY_MS = 24 * 3_600_000
const draft = { id: 'w1', text: 'typed', etag: '"1"', atMs: 5 }
const place = { userId: 'u1', serverId: 's1', path: 'a.yml' }

it('is kept for its account, server and path, until it is forgotten', () => {
  const store = storage()
  const drafts = draftsIn(
    () => store,
    () => 10,
  )
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
  const drafts = draftsIn(
    () => store,
    () => 10,
  )
  const other = { id: 'w2', text: 'typed elsewhere', etag: '"2"', atMs: 7 }
  drafts.keep(place, draft)
  drafts.keep(place, other)
  expect(drafts.list(place)).toEqual([other, draft])
  drafts.forget(place, other.id)
  expect(drafts.list(place)).toEqual([draft])
})

it('that is damaged is none', () => {
  const store = storage()
  const drafts = draftsIn(
    () => store,
    () => 10,
  )
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

it('that is outdated is removed at the first use of a page, and only then: earlier forms, old ones, all but five of a file', () => {
  const store = storage()
  const nowMs = 100 * DAY_MS
  const before = draftsIn(
    () => store,
    () => 0,
  )
  for (let at = 1; at <= 7; at += 1) before.keep(place, { ...draft, id: `w${at}`, atMs: nowMs - at })
  before.keep({ ...place, path: 'old.yml' }, { ...draft, atMs: nowMs - 31 * DAY_MS })
  before.keep({ ...place, path: 'b.yml' }, { ...draft, atMs: nowMs - 29 * DAY_MS })
  store.setItem('files-draft:s1:a.yml', JSON.stringify({ text: 'typed', etag: '"1"', atMs: nowMs }))
  store.setItem('another', 'thing')
  const drafts = draftsIn(
    () => store,
    () => nowMs,
  )
  expect(drafts.list(place).map(({ id }) => id)).toEqual(['w1', 'w2', 'w3', 'w4', 'w5'])
  expect([...store.kept.keys()].filter((key) => !key.includes(':a.yml:'))).toEqual([
    'files-draft:u1:s1:b.yml:w1',
    'another',
  ])
  drafts.keep(place, { ...draft, id: 'w6', atMs: nowMs })
  expect(drafts.list(place).length).toBe(6)
})
