import { expect, it } from 'vitest'
import { droppedFiles } from '../../../../../src/features/files/uploads/dropped-files.ts'

const file = (name: string, isReadable = true) => ({
  name,
  isFile: true,
  file: (done: (read: File) => void, fail: (error: Error) => void) =>
    isReadable ? done(new File([name], name)) : fail(new Error('not readable')),
})
/** A folder whose entries come by twos, as a browser gives them by hundreds. */
const folder = (name: string, entries: readonly unknown[], isReadable = true) => ({
  name,
  isFile: false,
  createReader: () => {
    let at = 0
    return {
      readEntries: (done: (some: readonly unknown[]) => void, fail: (error: Error) => void) => {
        if (!isReadable) return fail(new Error('not readable'))
        at += 2
        return done(entries.slice(at - 2, at))
      },
    }
  },
})
const drop = (...entries: readonly unknown[]) =>
  droppedFiles({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) } as unknown as DataTransfer)

it('a drop is its files with their paths, and the folders that no file brings along', async () => {
  const world = folder('world', [
    file('level.dat'),
    folder('region', [file('a.mca'), file('b.mca'), file('c.mca')]),
    folder('empty', []),
    folder('above', [folder('below', [])]),
  ])
  const { files, emptyFolders, unread } = await drop(file('note.txt'), world, folder('nothing', []))
  expect(files.map(({ path }) => path)).toEqual([
    'note.txt',
    'world/level.dat',
    'world/region/a.mca',
    'world/region/b.mca',
    'world/region/c.mca',
  ])
  expect(emptyFolders).toEqual(['world/empty', 'world/above/below', 'nothing'])
  expect(unread).toEqual([])
})

it('an entry that the browser cannot read is named, and everything else goes on', async () => {
  const { files, unread } = await drop(
    file('locked.txt', false),
    folder('world', [file('a'), file('b', false), folder('closed', [], false), file('c')]),
    file('last.txt'),
  )
  expect(files.map(({ path }) => path)).toEqual(['world/a', 'world/c', 'last.txt'])
  expect(unread).toEqual(['locked.txt', 'world/b', 'world/closed'])
})

it('is empty for a text that is dropped', async () => {
  expect(await drop(null)).toEqual({ files: [], emptyFolders: [], unread: [] })
})
