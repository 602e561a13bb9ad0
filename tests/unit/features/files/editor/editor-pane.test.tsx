// @vitest-environment happy-dom
import { focusManager } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { EditorPane } from '@/features/files/editor/editor-pane.tsx'
import { useOpenFile } from '@/features/files/editor/use-open-file.ts'
import type { EditorProps } from '@/features/files/editor/use-editing.ts'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { FilesContext, useFiles } from '@/features/files/files-context.tsx'
import type { Files } from '@/features/files/files-context.tsx'
import { eventually, held, refused, shownPage, type Answer, type ShownPage } from '../../../../support/shown-page.tsx'

vi.mock('@/features/files/editor/text-editor.tsx', () => ({
  TextEditor: ({ content, reread }: EditorProps) => (
    <>
      <p>{content.text}</p>
      <input aria-label="typed" />
      <button onClick={reread}>reread</button>
    </>
  ),
}))
vi.mock('@/lib/servers/use-reader.ts', () => ({ useReader: () => ({ id: 'u1' }) }))

/** How the reading of the file stands, as the pane beside it knows. */
const Reading = () => {
  const { status } = useOpenFile(useFiles(), 'a.yml', 0)
  return <output>{status}</output>
}

let page: ShownPage
afterEach(() => page.close())

it('the editor of a deleted file stays when everything is read again after an outage; what the reader reads anew does not', async () => {
  let isGone = false
  const read = vi.fn<() => Promise<unknown>>(() =>
    isGone
      ? Promise.reject(new FileTrouble('NOT_FOUND'))
      : Promise.resolve({ bytes: new TextEncoder().encode('the text'), etag: '"1"', total: 8, mtimeMs: 1 }),
  )
  const files = { server: { id: 's1' }, node: { read }, may: () => true, isReadOnly: false } as unknown as Files
  page = shownPage(
    <FilesContext value={files}>
      <EditorPane path="a.yml" onClose={() => {}} />
      <Reading />
    </FilesContext>,
    {},
  )
  await page.see('p', 'the text')
  isGone = true
  await page.client.refetchQueries()
  await page.see('output', 'error')
  await page.see('p', 'the text')
  ;(await page.see('button', 'reread')).click()
  await page.see('button', 'Try again')
  expect(page.find('p', 'the text')).toBeUndefined()
  isGone = false
  ;(await page.see('button', 'Try again')).click()
  await page.see('p', 'the text')
})

const DESCRIBED = 'GET /api/server/s1/described-files'
const open = (answer: Answer) => {
  const bytes = new TextEncoder().encode('the text')
  const read = () => Promise.resolve({ bytes, etag: '"1"', total: 8, mtimeMs: 1 })
  const files = { server: { id: 's1' }, node: { read }, may: () => true, isReadOnly: false } as unknown as Files
  page = shownPage(
    <FilesContext value={files}>
      <EditorPane path="a.yml" onClose={() => {}} />
    </FilesContext>,
    { [DESCRIBED]: answer },
  )
}
const asked = () => page.calls.filter(({ name }) => name === DESCRIBED).length

it('the typed text stays when nobody says how the file is described, and the window comes back or everything is read again', async () => {
  let answer: Answer = () => refused('INTERNAL')
  open((call) => answer(call))
  const field = await page.see<HTMLInputElement>('input', 'typed')
  const late = held()
  answer = () => late.response
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  focusManager.setFocused(undefined)
  const again = page.client.refetchQueries({ queryKey: ['described-files', 's1', 'a.yml'] })
  await eventually(() => expect(asked()).toBe(2))
  // Nothing is known meanwhile: a page that drew itself anew would have no editor by the next task.
  await new Promise((resolve) => {
    setTimeout(resolve)
  })
  expect(page.find('input', 'typed')).toBe(field)
  late.settle(Response.json({ files: [{ path: 'a.yml', format: 'from a later release' }] }))
  await again
  expect(page.find('input', 'typed')).toBe(field)
})
