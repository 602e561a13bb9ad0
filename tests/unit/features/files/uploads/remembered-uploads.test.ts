import { beforeEach, describe, expect, it } from 'vitest'
import { belongingTo, interruptedOf, RememberedUploads, tabOf } from '@/features/files/uploads/remembered-uploads.ts'

const HOUR_MS = 3_600_000
let kept: Map<string, string>
let nowMs: number
const store = () => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
})
const uploads = (personId = 'anna', serverId = 'one') =>
  new RememberedUploads(store(), { serverId, personId, now: () => nowMs })
const upload = (name: string, sent = 0) => ({
  fingerprint: `print of ${name}`,
  path: `maps/${name}`,
  name,
  bytes: 100,
  sent,
  url: `http://node.test/uploads/${name}`,
  tab: 'mine',
})
beforeEach(() => {
  kept = new Map()
  nowMs = Date.parse('2026-06-01T12:00:00Z')
})

describe('unfinished uploads', () => {
  it('are kept for their person and server alone, as far as they got', () => {
    uploads().keep(upload('a.zip'))
    uploads().keep(upload('b.zip'))
    uploads().keep(upload('a.zip', 50))
    expect(uploads().find('print of a.zip')).toEqual({ ...upload('a.zip', 50), touchedAtMs: nowMs })
    expect([uploads().list().length, uploads('bela').list(), uploads('anna', 'two').list()]).toEqual([2, [], []])
    uploads().forget('print of a.zip')
    expect(uploads().list()).toEqual([{ ...upload('b.zip'), touchedAtMs: nowMs }])
    uploads().forget('print of b.zip')
    expect([...kept.keys()]).toEqual([])
  })

  it('are forgotten a day after their last part', () => {
    uploads().keep(upload('a.zip'))
    nowMs += 24 * HOUR_MS - 1
    expect(uploads().list().length).toBe(1)
    nowMs += 1
    expect(uploads().list()).toEqual([])
  })

  it('do without a storage that is damaged, full or switched off', () => {
    kept.set('files-uploads:one:anna', '{"broken":')
    expect(uploads().list()).toEqual([])
    const refusing = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
      removeItem: () => {},
    }
    new RememberedUploads(refusing, { serverId: 'one', personId: 'anna', now: () => nowMs }).keep(upload('a.zip'))
    expect(tabOf(refusing)).toBe('')
  })
})

it('a tab keeps its name when it is loaded again', () => {
  expect(tabOf(store())).toBe(tabOf(store()))
  const before = tabOf(store())
  kept.clear()
  expect(tabOf(store())).not.toBe(before)
})

it('interrupted are those of this tab from before it was loaded, and those of others that stand still', () => {
  const at = (name: string, tab: string, agoMs: number) => ({ ...upload(name), tab, touchedAtMs: nowMs - agoMs })
  const all = [
    at('before', 'mine', 10_001),
    at('chosen again', 'mine', 10_001),
    at('of this page', 'mine', 9_999),
    at('theirs', 'other', 60_000),
    at('stale', 'other', 301_000),
  ]
  const present = { tab: 'mine', nowMs, loadedAtMs: nowMs - 10_000, active: new Set(['maps/chosen again']) }
  expect(interruptedOf(all, present).map(({ name }) => name)).toEqual(['before', 'stale'])
})

it('a file belongs to the upload of its name and size', () => {
  const all = [{ ...upload('a.zip'), touchedAtMs: nowMs }]
  expect(belongingTo({ name: 'a.zip', size: 100 }, all)?.path).toBe('maps/a.zip')
  expect(belongingTo({ name: 'a.zip', size: 101 }, all)).toBeUndefined()
  expect(belongingTo({ name: 'b.zip', size: 100 }, all)).toBeUndefined()
})
