// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import type { BinEntry } from '#contracts/panel/node-files.ts'
import type { Server } from '#contracts/http/server.ts'
import { FileTrouble } from '../../../../../src/features/files/file-trouble.ts'
import { FreeStorage } from '../../../../../src/features/files/fixes/free-storage.tsx'
import { bytesText } from '../../../../../src/lib/format/size.ts'
import words from '../../../../../src/messages/en.json' with { type: 'json' }
import { ToastProvider } from '../../../../../src/ui/surfaces/toast.tsx'
import { shownServer, shownUser } from '../../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

const KIB = 1_024
const LIMIT_BYTES = 100 * 1_024 * KIB
/** The node's files by path, and its bin. */
const disk = vi.hoisted(() => ({
  files: new Map<string, number>(),
  bin: [] as BinEntry[],
  made: 0,
  limitBytes: 0,
  sinceMs: null as number | null,
  refusals: new Map<string, FileRefusal>(),
  emptied: [] as (readonly string[] | undefined)[],
}))
const ids = vi.hoisted(() => (at: number) => `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`)

vi.mock('../../../../../src/features/files/files-context.tsx', async (original) => ({
  ...(await original<object>()),
  filesOf: (server: { suspended: boolean }) => ({ isReadOnly: server.suspended, node: { call } }),
}))

type Input = { path?: string; paths?: string[]; id?: string; ids?: string[] }
const call = async (name: string, { path = '', paths = [], id, ids: chosen }: Input) => {
  if (name === 'list') {
    const inside = [...disk.files].filter(([file]) => file.startsWith(`${path}/`))
    if (inside.length === 0) throw new FileTrouble('NOT_FOUND')
    const entries = inside.map(([file, size]) => ({
      name: file.split('/')[1],
      kind: 'file',
      size,
      mtimeMs: 0,
      mode: 0,
    }))
    return { entries, total: entries.length }
  }
  if (name === 'bin') return { entries: [...disk.bin] }
  if (name === 'usage') return { bytes: 1, binBytes: 1, limitBytes: disk.limitBytes }
  if (name === 'running-since') return { sinceMs: disk.sinceMs }
  if (name === 'empty-bin') {
    disk.emptied.push(chosen)
    disk.bin = disk.bin.filter((each) => chosen !== undefined && !chosen.includes(each.id))
    return {}
  }
  if (name === 'delete') {
    for (const each of paths) {
      if (disk.refusals.has(each)) continue
      disk.made += 1
      const bytes = disk.files.get(each) ?? 0
      // A node names the newest first.
      disk.bin.unshift({ id: ids(disk.made), path: each, kind: 'file', bytes, deletedAtMs: 1 })
      disk.files.delete(each)
    }
    return { refusals: paths.map((each) => disk.refusals.get(each) ?? null) }
  }
  const entry = disk.bin.find((each) => each.id === id)
  if (entry === undefined) throw new FileTrouble('NOT_FOUND')
  if (disk.files.has(entry.path)) throw new FileTrouble('ALREADY_EXISTS')
  disk.bin.splice(disk.bin.indexOf(entry), 1)
  disk.files.set(entry.path, entry.bytes)
  return { path: entry.path }
}

let page: ShownPage
const LOGS = ['logs/2026-11-01-1.log.gz', 'crash-reports/crash-1.txt']
const EARLIER: BinEntry = {
  id: ids(900),
  path: 'logs/2026-11-01-1.log.gz',
  kind: 'file',
  bytes: 2_048 * KIB,
  deletedAtMs: 0,
}
beforeEach(() => {
  disk.files = new Map([...LOGS.map((path) => [path, 40 * KIB] as const), ['logs/latest.log', KIB], ['world.dat', KIB]])
  disk.bin = []
  disk.limitBytes = LIMIT_BYTES
  disk.sinceMs = null
  disk.refusals.clear()
  disk.emptied = []
})
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})
const open = (change: Partial<Server> = {}) => {
  const server = shownServer({ permissions: ['file.list', 'file.update', 'control.start'], ...change })
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <FreeStorage server={server} otherwise={<i>Open files</i>} />
    </ToastProvider>,
    { 'GET /api/user/me': () => Response.json(shownUser()) },
  )
}
const press = async (text: string, within = '.known-fix') => (await page.see(`${within} button`, text)).click()

test('old logs go to the bin and come back, and nothing else with them', async () => {
  disk.bin = [EARLIER]
  open()
  await page.see('.known-fix', "We'll move 2 old logs and crash reports (80 kB) to the bin.")
  await press('Move old logs to the bin')
  await page.see('.known-done', '2 files are in the bin now (80 kB). Empty the bin to free the storage.')
  expect([...disk.files.keys()]).toEqual(['logs/latest.log', 'world.dat'])
  expect(disk.bin.map(({ path }) => path).toSorted()).toEqual([EARLIER.path, ...LOGS].toSorted())

  await press('Undo')
  await page.see('button', 'Move old logs to the bin')
  expect([...disk.files.keys()].toSorted()).toEqual(['logs/latest.log', 'world.dat', ...LOGS].toSorted())
  expect(disk.bin).toEqual([EARLIER])
})
test('the bin is emptied once its loss is confirmed, and then nothing can be undone', async () => {
  open()
  await press('Move old logs to the bin')
  await page.see('.known-done', 'The bin holds 2 items (80 kB).')
  await press('Empty the bin')
  await page.see('dialog[open]', 'The 2 items in it are deleted permanently.')
  expect(disk.bin).toHaveLength(2)
  await press('Empty the bin', 'dialog[open]')
  await eventually(() => expect(disk.bin).toEqual([]))
  await eventually(() => expect(page.find('.known-fix button', 'Undo')).toBeUndefined())
  expect(page.text()).toContain('The bin is empty. 80 kB of storage is free again.')
  expect([...disk.files.keys()]).toEqual(['logs/latest.log', 'world.dat'])
})

test('a log whose name something has now stays in the bin, and the others come back', async () => {
  open()
  await press('Move old logs to the bin')
  await page.see('.known-done', '2 files are in the bin')
  const [first = '', second = ''] = LOGS
  disk.files.set(first, 1)
  await press('Undo')
  await eventually(() => expect(page.text()).toContain(`${first} already exists.`))
  expect(disk.files.get(first)).toBe(1)
  expect(disk.files.has(second)).toBe(true)
  expect(disk.bin.map(({ path }) => path)).toEqual([first])

  await page.see('.known-done', '1 file is in the bin now (40 kB).')
  disk.files.delete(first)
  await press('Undo')
  await eventually(() => expect(page.find('.known-fix button', 'Undo')).toBeUndefined())
  expect(disk.files.get(first)).toBe(40 * KIB)
  expect(page.text()).toContain('The file is back where it was.')
})

test('a log that is in the bin no longer ends the way back', async () => {
  open()
  await press('Move old logs to the bin')
  await page.see('.known-done', '2 files are in the bin')
  const [gone = ''] = LOGS
  disk.bin = disk.bin.filter(({ path }) => path !== gone)
  await press('Undo')
  await eventually(() => expect(page.text()).toContain(gone))
  await eventually(() => expect(page.find('.known-fix button', 'Undo')).toBeUndefined())
  expect(disk.files.has(gone)).toBe(false)
})

test.each([
  ['a log has grown', () => disk.files.set('logs/2026-11-01-1.log.gz', 50 * KIB)],
  ['a log is older than was said', () => disk.files.set('logs/2026-10-31-1.log.gz', KIB)],
  ['the bin has no room left', () => disk.bin.push({ ...EARLIER, bytes: LIMIT_BYTES / 10 - 50 * KIB })],
])('nothing is moved where %s since it was shown, and the card shows what there is now', async (_, change) => {
  open()
  await page.see('.known-fix', "We'll move 2 old logs and crash reports (80 kB) to the bin.")
  change()
  const found = [...disk.files.keys()]
  await press('Move old logs to the bin')
  await eventually(() => expect(page.text()).toContain('have changed in the meantime, so we moved nothing.'))
  expect([...disk.files.keys()]).toEqual(found)
  await eventually(() => expect(page.find('.known-fix', '2 old logs and crash reports (80 kB)')).toBeUndefined())
})

test('a log of the present run is offered to nobody', async () => {
  disk.sinceMs = 0
  open()
  await page.see('.known-fix', 'Open files')
  await eventually(() => expect(page.client.isFetching()).toBe(0))
  expect(page.find('.known-fix button')).toBeUndefined()
})

test('where one log is refused the other is in the bin, and where all are the first refusal is told by its name', async () => {
  const [first = '', second = ''] = LOGS
  disk.refusals.set(second, 'BIN_TOO_SMALL')
  open()
  await press('Move old logs to the bin')
  await page.see('.known-done', '1 file is in the bin now (40 kB).')
  expect(disk.bin.map(({ path }) => path)).toEqual([first])
  page.close()

  disk.bin = []
  disk.files.set(first, 40 * KIB)
  disk.refusals.set(first, 'BIN_TOO_SMALL')
  open()
  await press('Move old logs to the bin')
  await eventually(() => expect(page.text()).toContain(words.files.trouble.BIN_TOO_SMALL.replace('{path}', first)))
  expect(disk.bin).toEqual([])
  expect(page.find('.known-done', 'in the bin now')).toBeUndefined()
})

test('emptying deletes what the question has counted and nothing that came later, and says what that has freed', async () => {
  disk.files = new Map()
  disk.bin = [EARLIER]
  open()
  await press('Empty the bin')
  await page.see('dialog[open]', 'The item in it is deleted permanently.')
  const later = { ...EARLIER, id: ids(901), path: 'world', bytes: 7 }
  disk.bin.unshift(later)
  await press('Empty the bin', 'dialog[open]')
  const freed = `${bytesText(EARLIER.bytes, 'en')} of storage is free again.`.replaceAll(/\s+/gu, ' ')
  await eventually(() => expect(page.text()).toContain(freed))
  expect(page.text()).not.toContain('The bin is empty.')
  expect([disk.bin, disk.emptied]).toEqual([[later], [[EARLIER.id]]])
})

test('a bin with more entries than a request takes is emptied in parts', async () => {
  disk.files = new Map()
  disk.bin = Array.from({ length: 1_001 }, (_, at) => ({ ...EARLIER, id: ids(1_000 + at) }))
  open()
  await press('Empty the bin')
  await press('Empty the bin', 'dialog[open]')
  await eventually(() => expect(page.text()).toContain('The bin is empty.'))
  expect(disk.emptied.map((part) => part?.length)).toEqual([1_000, 1])
})

test('the focus stays in the card when its button to empty the bin has gone', async () => {
  disk.bin = [EARLIER]
  open()
  await press('Empty the bin')
  await press('Empty the bin', 'dialog[open]')
  await eventually(() => expect(page.text()).toContain('The bin is empty.'))
  await eventually(() => expect(document.activeElement?.textContent).toBe('Move old logs to the bin'))
})

test('a reader without the permission reads which one is missing, and keeps the way to the files', async () => {
  open({ permissions: ['file.list'] })
  await page.see('.known-fix', 'You need the permission')
  await page.see('.known-fix', 'Open files')
  expect(page.find('.known-fix button')).toBeUndefined()
})

test('without old logs and with an empty bin nothing is offered beside the way to the files', async () => {
  disk.files = new Map([['logs/latest.log', KIB]])
  open()
  await page.see('.known-fix', 'Open files')
  await eventually(() => expect(page.client.isFetching()).toBe(0))
  expect(page.find('.known-fix button')).toBeUndefined()
})
