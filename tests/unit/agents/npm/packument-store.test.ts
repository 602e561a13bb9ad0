import { readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { boundedText, PackumentStore } from '../../../../agents/npm/packument-store.ts'
import { realDisk } from '../../../../agents/platform/disk.ts'
import { scratchFolder } from '../../../support/agent-bundles.ts'

let scratch: ReturnType<typeof scratchFolder>
beforeEach(() => {
  scratch = scratchFolder()
})
afterEach(() => scratch.remove())

const described = (name: string, filler = '') => ({
  version: 1 as const,
  etag: null,
  atMs: 0,
  packument: { name, versions: {}, filler },
})
const names = ['first', 'second', 'third', 'fourth']

const storeWith = (limits: { maxCount?: number; maxTotalBytes?: number }) => {
  const bounds = { maxBytes: 1_000, maxTotalBytes: 1_000_000, maxCount: 1_000, ...limits }
  return new PackumentStore(scratch.path, realDisk, bounds)
}

/** Keeps them in this order, each a minute after the one before. */
const keepAll = (store: PackumentStore, filler = '') => {
  for (const [minute, name] of names.entries()) {
    const before = readdirSync(scratch.path)
    store.keep(name, described(name, filler))
    for (const file of readdirSync(scratch.path).filter((each) => !before.includes(each)))
      utimesSync(path.join(scratch.path, file), 60 * minute, 60 * minute)
  }
}
const kept = (store: PackumentStore) => names.filter((name) => store.read(name) !== undefined)

it('the oldest descriptions beyond the number are removed: S15', () => {
  const store = storeWith({ maxCount: 2 })
  keepAll(store)
  expect(kept(store)).toEqual(['third', 'fourth'])
})

it('the oldest descriptions beyond the bytes are removed: S15', () => {
  const store = storeWith({ maxTotalBytes: 3_000 })
  keepAll(store, 'x'.repeat(900))
  expect(kept(store)).toEqual(['second', 'third', 'fourth'])
})

it('one that is described again is the youngest, and counts once: S15', () => {
  const store = storeWith({ maxCount: 3, maxTotalBytes: 4_000 })
  for (const name of ['first', 'second', 'third', 'first', 'fourth']) store.keep(name, described(name, 'x'.repeat(900)))
  expect(kept(store)).toEqual(['first', 'third', 'fourth'])
})

it('those of an earlier agent count, the oldest first: S15', () => {
  keepAll(storeWith({}), 'x'.repeat(900))
  const files = readdirSync(scratch.path).sort()
  // The later in the alphabet, the older.
  for (const [minute, file] of files.toReversed().entries())
    utimesSync(path.join(scratch.path, file), 60 * minute, 60 * minute)
  storeWith({ maxTotalBytes: 4_000 }).keep('fifth', described('fifth', 'x'.repeat(900)))
  expect(readdirSync(scratch.path)).toHaveLength(4)
  expect(readdirSync(scratch.path)).toEqual(expect.arrayContaining(files.slice(0, 3)))
})

it('an answer is read up to the bound, and one beyond it ends at once: S15', async () => {
  expect(await boundedText(Readable.from([Buffer.from('é'.repeat(5))]), 10)).toBe('ééééé')
  let sent = 0
  const endless = new Readable({
    read() {
      sent += 1
      this.push(Buffer.alloc(1_000))
    },
  })
  await expect(boundedText(endless, 5_000)).rejects.toThrow('too large')
  expect([endless.destroyed, sent < 100]).toEqual([true, true])
})
