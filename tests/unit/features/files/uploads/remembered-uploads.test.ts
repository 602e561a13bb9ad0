import { beforeEach, describe, expect, it } from 'vitest'
import { RememberedUploads, tabOf } from '@/features/files/uploads/remembered-uploads.ts'

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
    expect(uploads().find('print of a.zip')).toEqual({ ...upload('a.zip', 50), isPaused: false, touchedAtMs: nowMs })
    expect([uploads().list().length, uploads('bela').list(), uploads('anna', 'two').list()]).toEqual([2, [], []])
    uploads().forget('print of a.zip')
    expect(uploads().list()).toEqual([{ ...upload('b.zip'), isPaused: false, touchedAtMs: nowMs }])
    uploads().forget('print of b.zip')
    expect([...kept.keys()]).toEqual([])
  })

  it('stay paused until they go on, and those of an earlier release are not paused', () => {
    uploads().keep({ ...upload('a.zip'), isPaused: true })
    expect(uploads().list()[0]?.isPaused).toBe(true)
    uploads().keep(upload('a.zip', 50))
    expect(uploads().list()[0]?.isPaused).toBe(false)
    kept.set('files-uploads:one:anna', JSON.stringify([{ ...upload('b.zip'), touchedAtMs: nowMs }]))
    expect(uploads().list()[0]).toMatchObject({ name: 'b.zip', isPaused: false })
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
