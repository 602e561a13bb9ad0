// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { pastedFiles, useFileIntake } from '../../../../src/lib/attachments/file-intake.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

const shot = new File(['x'], 'shot.png')
const taken: string[] = []
let page: ShownPage
afterEach(() => {
  page.close()
  taken.length = 0
  vi.unstubAllGlobals()
})

const Target = ({ isBusy }: { isBusy: boolean }) => {
  const intake = useFileIntake((files) => taken.push(...files.map(({ name }) => name)), isBusy)
  return (
    <div className="target" {...intake}>
      <p className="inside" />
    </div>
  )
}
const show = async (isBusy: boolean) => {
  page = shownPage(<Target isBusy={isBusy} />, {})
  return eventually(() => {
    const target = document.querySelector('.target')
    expect(target).not.toBeNull()
    return target as HTMLElement
  })
}

type Given = { readonly types: string[]; readonly files: File[]; dropEffect?: string }
const FILES: Given = { types: ['Files'], files: [shot] }
const TEXT: Given = { types: ['text/plain'], files: [] }

/** Gives something to the element; true if the browser is kept from what it does with it. */
const give = (target: Element, type: string, given: Given): boolean => {
  const event = new Event(type, { bubbles: true, cancelable: true })
  Object.assign(event, type === 'paste' ? { clipboardData: given } : { dataTransfer: given })
  target.dispatchEvent(event)
  return event.defaultPrevented
}

test.each([
  ['dragover', FILES, true, []],
  ['dragover', TEXT, false, []],
  ['drop', FILES, true, ['shot.png']],
  ['drop', TEXT, false, []],
  ['paste', FILES, true, ['shot.png']],
  ['paste', TEXT, false, []],
] as const)('%s of %o is taken from the browser: %s, and added: %j', async (type, given, isTaken, names) => {
  expect(give(await show(false), type, given)).toBe(isTaken)
  expect(taken).toEqual(names)
})

test('while a message is sent nothing is added, and no file is opened in place of the page', async () => {
  const target = await show(true)
  const over = { ...FILES }
  expect([give(target, 'dragover', over), over.dropEffect]).toEqual([true, 'none'])
  expect([give(target, 'drop', FILES), give(target, 'paste', FILES)]).toEqual([true, false])
  expect(taken).toEqual([])
})

test('the place says that a file can be dropped until it is dropped or taken away again', async () => {
  const target = await show(false)
  const isMarked = (expected: boolean) => eventually(() => expect(target.hasAttribute('data-dropping')).toBe(expected))
  give(target, 'dragover', FILES)
  await isMarked(true)
  const leave = (relatedTarget: EventTarget | null) =>
    target.dispatchEvent(Object.assign(new Event('dragleave', { bubbles: true }), { relatedTarget }))
  leave(target.querySelector('.inside'))
  give(target, 'dragover', FILES)
  await isMarked(true)
  leave(document.body)
  await isMarked(false)
  give(target, 'dragover', FILES)
  await isMarked(true)
  give(target, 'drop', FILES)
  await isMarked(false)
})

const pasted = (types: string[], files: File[]) => pastedFiles({ types, files: files as unknown as FileList })

test.each([
  ['a screenshot', ['Files'], [shot], [shot]],
  ['a picture of a page, with its markup', ['text/html', 'Files'], [shot], [shot]],
  ['a copied file, with its name', ['text/plain', 'Files'], [shot], [shot]],
  ['cells of a table, with a picture of them', ['text/plain', 'text/html', 'Files'], [shot], []],
  ['a text', ['text/plain'], [], []],
])('%s', (_name, types, files, taken) => {
  expect(pasted(types, files)).toEqual(taken)
})
