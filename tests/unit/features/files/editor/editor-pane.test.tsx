// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { EditorPane } from '@/features/files/editor/editor-pane.tsx'
import { useOpenFile } from '@/features/files/editor/use-open-file.ts'
import type { EditorProps } from '@/features/files/editor/use-editing.ts'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { FilesContext, useFiles } from '@/features/files/files-context.tsx'
import type { Files } from '@/features/files/files-context.tsx'
import { shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

vi.mock('@/features/files/editor/text-editor.tsx', () => ({
  TextEditor: ({ content, reread }: EditorProps) => (
    <>
      <p>{content.text}</p>
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
