// @vitest-environment happy-dom
import { useContext } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { drafts } from '@/features/files/editor/draft.ts'
import { EditorNotes } from '@/features/files/editor/editor-notes.tsx'
import { LeaveDialog } from '@/features/files/editor/leave-dialog.tsx'
import { StatusLine } from '@/features/files/editor/status-line.tsx'
import type { OpenFile } from '@/features/files/editor/use-open-file.ts'
import { useSaving } from '@/features/files/editor/use-saving.ts'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { FilesContext } from '@/features/files/files-context.tsx'
import type { Files } from '@/features/files/files-context.tsx'
import { LeaveGuardContext, useLeaveGuard } from '@/ui/screen/leave-guard.ts'
import { eventually, shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

const PATH = 'plugins/a/config.yml'
const content = { kind: 'text', text: 'old', lineBreak: '\n' } as const
const file: OpenFile = { content, etag: '"1"', total: 3, mtimeMs: 1, from: 0, to: 3, isWhole: true }

/** A node whose file has been deleted, with the folders above it. */
const emptyNode = () => {
  const folders = new Set<string>()
  const written: [path: string, text: unknown, etag: string | null][] = []
  const node = {
    call: (call: string, { path }: { path: string }) => {
      if (call === 'create-folder') folders.add(path)
      return Promise.resolve({})
    },
    write: (...[path, text, etag]: [string, unknown, string | null]) => {
      if (etag !== null || !folders.has('plugins/a')) return Promise.reject(new FileTrouble('NOT_FOUND'))
      written.push([path, text, etag])
      return Promise.resolve('"2"')
    },
  }
  return { node, written }
}

/** The text that is typed in the editor now. */
let typed = 'mine'

const Editor = ({ files }: { files: Files }) => {
  const saving = useSaving(files, PATH, { userId: 'u1', file, text: () => typed, onSaved: () => {} })
  return (
    <>
      <button onClick={saving.changed}>type</button>
      <button onClick={() => void saving.save()}>save</button>
      <EditorNotes
        isHeld={false}
        saving={saving}
        path={PATH}
        draft={null}
        version={undefined}
        isComparing={false}
        onDraft={() => {}}
        onCompare={() => {}}
        reread={() => {}}
      />
      <StatusLine path={PATH} file={file} content={content} saving={saving} at={null} />
    </>
  )
}
const Guarded = ({ files, onGo }: { files: Files; onGo: () => void }) => {
  const guard = useLeaveGuard()
  return (
    <FilesContext value={files}>
      <LeaveGuardContext value={guard}>
        <Editor files={files} />
        <a href="/panel/s1/console" onClick={(event) => (event.preventDefault(), onGo())}>
          console
        </a>
        <Elsewhere onGo={onGo} />
        <LeaveDialog guard={guard} />
      </LeaveGuardContext>
    </FilesContext>
  )
}
const Elsewhere = ({ onGo }: { onGo: () => void }) => {
  const { ask } = useContext(LeaveGuardContext)
  return <button onClick={() => ask(onGo)}>another file</button>
}

let page: ShownPage
let written: ReturnType<typeof emptyNode>['written']
const onGo = vi.fn<() => void>()
const open = (may = true) => {
  const made = emptyNode()
  written = made.written
  const files = { server: { id: 's1' }, node: made.node, may: () => may, isReadOnly: false } as unknown as Files
  page = shownPage(<Guarded files={files} onGo={onGo} />, {})
}
const press = async (text: string) => (await page.see('button', text)).click()
const place = { userId: 'u1', serverId: 's1', path: PATH }

beforeEach(() => {
  localStorage.clear()
  typed = 'mine'
  onGo.mockClear()
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
})
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

it('a file that was deleted while it was edited is saved as a new one, with its folders', async () => {
  open()
  await press('type')
  await press('save')
  await page.see('[role=alert]', 'was deleted or renamed after you opened it')
  await press('Save as a new file')
  await eventually(() => expect(written).toEqual([[PATH, 'mine', null]]))
  await page.see('[role=status]', 'Saved at')
  expect(page.text()).not.toContain('was deleted or renamed')
})

it('a reader who may not create files is told that it was deleted, and is offered nothing', async () => {
  open(false)
  await press('save')
  await page.see('[role=alert]', 'was deleted or renamed after you opened it')
  expect(page.find('button', 'Save as a new file')).toBeUndefined()
})

it('the status line says that a draft is kept only where it is', async () => {
  open()
  await press('type')
  await page.see('[role=status]', 'Draft in this browser')
  expect(drafts.list(place)).toMatchObject([{ text: 'mine', etag: '"1"' }])
  vi.stubGlobal('localStorage', {
    length: 0,
    setItem: () => {
      throw new Error('full')
    },
  })
  await press('type')
  await page.see('[role=status]', 'No draft can be kept here')
  expect(page.text()).not.toContain('Draft in this browser')
})

it('a draft that another window discards is kept again while its text is still typed here', async () => {
  open()
  await press('type')
  await page.see('[role=status]', 'Draft in this browser')
  const key = localStorage.key(0)
  localStorage.clear()
  await eventually(() => {
    window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: null }))
    expect(drafts.list(place)).toMatchObject([{ text: 'mine' }])
  })
})

it('a link and another file are left alone until the question about the unsaved text is answered', async () => {
  open()
  const leave = () => page.find<HTMLAnchorElement>('a', 'console')?.click()
  await page.see('a', 'console')
  leave()
  expect(onGo).toHaveBeenCalledTimes(1)
  await press('type')
  await eventually(() => {
    leave()
    expect(page.text()).toContain('They stay in this browser as a draft')
  })
  const before = onGo.mock.calls.length
  expect(drafts.list(place)).toMatchObject([{ text: 'mine' }])
  await press('Keep editing')
  await press('another file')
  await page.see('dialog', 'Leave without saving?')
  expect(onGo).toHaveBeenCalledTimes(before)
  await press('Leave')
  await eventually(() => expect(onGo).toHaveBeenCalledTimes(before + 1))
})

it('text that is typed while a save is under way stays unsaved, as a draft of the new version', async () => {
  const writes: { text: unknown; etag: string | null; done: (etag: string) => void }[] = []
  const node = {
    write: (...[, text, etag]: [string, unknown, string | null]) =>
      new Promise<string>((done) => writes.push({ text, etag, done })),
  }
  const files = { server: { id: 's1' }, node, may: () => true, isReadOnly: false } as unknown as Files
  page = shownPage(<Guarded files={files} onGo={onGo} />, {})
  await press('type')
  await press('save')
  await eventually(() => expect(writes).toMatchObject([{ text: 'mine', etag: '"1"' }]))
  typed = 'mine and more'
  await press('type')
  writes[0]?.done('"2"')
  await eventually(() => expect(drafts.list(place)).toMatchObject([{ text: 'mine and more', etag: '"2"' }]))
  expect(page.text()).not.toContain('Saved at')
  await press('another file')
  await page.see('dialog', 'Leave without saving?')
  await press('Keep editing')
  await press('save')
  await eventually(() => expect(writes[1]).toMatchObject({ text: 'mine and more', etag: '"2"' }))
  writes[1]?.done('"3"')
  await page.see('[role=status]', 'Saved at')
  expect(drafts.list(place)).toEqual([])
})
