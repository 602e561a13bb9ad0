import { expect, it } from 'vitest'
import type { OpenUpload } from '#contracts/panel/uploads.ts'
import { belongingTo, unfinishedOf, type Present } from '@/features/files/uploads/unfinished.ts'

const LOADED_MS = 1_000_000
const open = (id: string, change: Partial<OpenUpload> = {}): OpenUpload => ({
  id,
  path: `maps/${id}.zip`,
  name: `${id}.zip`,
  by: 'anna',
  startedAtMs: 1,
  replaces: 'new',
  bytes: 100,
  offset: 50,
  expiresAtMs: 2,
  isOwn: true,
  isArriving: false,
  idleMs: 60_000,
  ...change,
})
const known = (id: string, tab: string, touchedAtMs: number, isPaused = false) => {
  const about = { fingerprint: id, path: `maps/${id}.zip`, name: `${id}.zip`, bytes: 100, sent: 50, isPaused }
  return { ...about, url: `http://node.test/files/uploads/${id}`, touchedAtMs, tab }
}
const present = (change: Partial<Present> = {}): Present => ({
  tab: 'mine',
  loadedAtMs: LOADED_MS,
  remembered: [],
  active: new Set(),
  ended: new Set(),
  ...change,
})
const ways = (uploads: readonly OpenUpload[], change?: Partial<Present>) =>
  unfinishedOf(uploads, present(change)).map(({ id, way, isPaused }) => [id, way, isPaused])

it("another browser's upload of the reader goes on here once no part arrives any more", () => {
  const all = [open('still'), open('sent', { isArriving: true }), open('between parts', { idleMs: 4_999 })]
  expect(ways(all)).toEqual([
    ['still', 'resume', false],
    ['sent', 'arriving', false],
    ['between parts', 'arriving', false],
  ])
})

it("somebody else's is shown as theirs, also while it arrives", () => {
  expect(ways([open('theirs', { isOwn: false, isArriving: true })])).toEqual([['theirs', 'others', false]])
})

it('an upload that this page sends, has sent since it was loaded or has ended is not listed', () => {
  const all = [open('active'), open('of this page'), open('ended'), open('theirs', { isOwn: false })]
  const active = new Set(['maps/active.zip', 'maps/theirs.zip'])
  const remembered = [known('of this page', 'mine', LOADED_MS)]
  expect(ways(all, { active, remembered, ended: new Set(['ended']) })).toEqual([['theirs', 'others', false]])
})

it('a tab that was loaded again, and a paused upload of any tab, go on at once', () => {
  const all = [open('before', { idleMs: 10 }), open('paused', { idleMs: 10 })]
  const remembered = [known('before', 'mine', LOADED_MS - 1), known('paused', 'other', LOADED_MS + 1, true)]
  expect(ways(all, { remembered })).toEqual([
    ['before', 'resume', false],
    ['paused', 'resume', true],
  ])
})

it('a file may belong to the upload of its name and size', () => {
  const all = [open('a')]
  expect(belongingTo({ name: 'a.zip', size: 100 }, all)?.id).toBe('a')
  expect(belongingTo({ name: 'a.zip', size: 101 }, all)).toBeUndefined()
  expect(belongingTo({ name: 'b.zip', size: 100 }, all)).toBeUndefined()
})

it('one that waited in this tab and was cancelled can be continued again', () => {
  const waiting = known('waits', '', LOADED_MS + 1)
  expect(ways([open('waits')], { remembered: [waiting], active: new Set(['maps/waits.zip']) })).toEqual([])
  expect(ways([open('waits')], { remembered: [waiting] })).toEqual([['waits', 'resume', false]])
})
