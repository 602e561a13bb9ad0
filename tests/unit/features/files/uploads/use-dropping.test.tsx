// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import type { Files } from '@/features/files/files-context.tsx'
import type { Chosen } from '@/features/files/uploads/dropped-files.ts'
import { useDropping } from '@/features/files/uploads/use-dropping.ts'
import { ToastProvider } from '@/ui/surfaces/toast.tsx'
import { eventually, shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

const folder = (name: string, entries: readonly unknown[] = []) => ({
  name,
  isFile: false,
  createReader: () => {
    let isRead = false
    return {
      readEntries: (done: (some: readonly unknown[]) => void) => {
        done(isRead ? [] : entries)
        isRead = true
      },
    }
  },
})
const file = (name: string, isReadable = true) => ({
  name,
  isFile: true,
  file: (done: (read: File) => void, fail: (error: Error) => void) =>
    isReadable ? done(new File([name], name)) : fail(new Error('not readable')),
})

/** A place that takes drops, on a node that refuses some folders. */
const place = ({ refusals = {}, may = true }: { refusals?: Record<string, FileTrouble>; may?: boolean }) => {
  const made: string[] = []
  const call = (_name: string, { path }: { path: string }) => {
    made.push(path)
    return refusals[path] === undefined ? Promise.resolve(null) : Promise.reject(refusals[path])
  }
  const files = {
    server: { id: 's1', permissions: ['file.create'] },
    node: { call },
    may: () => may,
    isReadOnly: !may,
  } as unknown as Files
  const uploaded: string[] = []
  const dropped: { drop?: ReturnType<typeof useDropping> } = {}
  const Place = () => {
    dropped.drop = useDropping(files, (_into: string, all: readonly Chosen[]) =>
      uploaded.push(...all.map(({ path }) => path)),
    )
    return <p>here</p>
  }
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <Place />
    </ToastProvider>,
    {},
  )
  const drop = async (...entries: readonly unknown[]) => {
    await page.see('p', 'here')
    const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }))
    dropped.drop?.('into', { items } as unknown as DataTransfer)
  }
  return { drop, made, uploaded }
}

let page: ShownPage
afterEach(() => page.close())

const TREE = folder('a', [folder('b', [folder('one'), folder('two')]), file('note.txt')])

it('each empty folder of a drop is made, those above them once, and its files are uploaded', async () => {
  const { drop, made, uploaded } = place({})
  await drop(TREE, folder('three'))
  await eventually(() =>
    expect(made).toEqual(['into', 'into/a', 'into/a/b', 'into/a/b/one', 'into/a/b/two', 'into/three']),
  )
  expect(uploaded).toEqual(['a/note.txt'])
  expect(page.find('.toast')).toBeUndefined()
})

it('a folder that cannot be made keeps none of the others back, and one sentence names it', async () => {
  const { drop, made } = place({
    refusals: { into: new FileTrouble('ALREADY_EXISTS'), 'into/a/b/one': new FileTrouble('NO_SPACE') },
  })
  await drop(TREE, folder('three'))
  await page.see('.toast', 'The storage of this server is full.')
  expect(made).toEqual(['into', 'into/a', 'into/a/b', 'into/a/b/one', 'into/a/b/two', 'into/three'])
  expect(document.querySelectorAll('.toast')).toHaveLength(1)
})

it('nothing more is asked of a machine that is away', async () => {
  const { drop, made } = place({ refusals: { into: new FileTrouble('AWAY') } })
  await drop(TREE, folder('three'))
  await page.see('.toast', "The server's machine isn't answering.")
  expect(made).toEqual(['into'])
})

it('an entry that the browser cannot read is named, and the rest goes on', async () => {
  const { drop, uploaded } = place({})
  await drop(file('locked.txt', false), file('open.txt'))
  await page.see('.toast', "locked.txt couldn't be read, so it wasn't uploaded.")
  expect(uploaded).toEqual(['open.txt'])
})

it('a server whose files cannot be changed now takes nothing, and says so', async () => {
  const { drop, made, uploaded } = place({ may: false })
  await drop(TREE)
  await page.see('.toast', "The files of this server can't be changed right now.")
  expect([made, uploaded]).toEqual([[], []])
})
