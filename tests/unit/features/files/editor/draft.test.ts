import { expect, it } from 'vitest'
import { draftsIn } from '@/features/files/editor/draft.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const draft = { text: 'typed', etag: '"1"', atMs: 5 }

it('is kept for its server and path, until it is forgotten', () => {
  const drafts = draftsIn(storage())
  drafts.keep('s1', 'a.yml', draft)
  expect(drafts.read('s1', 'a.yml')).toEqual(draft)
  expect([drafts.read('s2', 'a.yml'), drafts.read('s1', 'b.yml')]).toEqual([undefined, undefined])
  drafts.forget('s1', 'a.yml')
  expect(drafts.read('s1', 'a.yml')).toBeUndefined()
})

it('that is damaged is none, and a browser without room works without', () => {
  const broken = storage()
  broken.kept.set('files-draft:s1:a', '{"text":1}')
  broken.kept.set('files-draft:s1:b', 'not json')
  expect([draftsIn(broken).read('s1', 'a'), draftsIn(broken).read('s1', 'b')]).toEqual([undefined, undefined])
  const full = {
    ...storage(),
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(() => draftsIn(full).keep('s1', 'a', draft)).not.toThrow()
})
