'use client'
import { History, Redo2, Search, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useMemo, useRef, useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { FileVersion } from '#contracts/panel/node-files.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { useFiles } from '../files-context.tsx'
import { CodeView } from './code-view.tsx'
import type { CodeHandle } from './code-view.tsx'
import { drafts } from './draft.ts'
import type { Draft } from './draft.ts'
import { languageOf } from './editor-language.ts'
import { EditorNotes } from './editor-notes.tsx'
import { fileText } from './file-text.ts'
import type { FileText } from './file-text.ts'
import { HistoryDialog } from './history-dialog.tsx'
import type { VersionUse } from './history-dialog.tsx'
import { KeyBar } from './key-bar.tsx'
import { StatusLine } from './status-line.tsx'
import type { OpenFile } from './use-open-file.ts'
import { useSaving } from './use-saving.ts'

type Content = Extract<FileText, { kind: 'text' }>
type EditorProps = {
  readonly path: string
  readonly file: OpenFile
  readonly content: Content
  readonly reread: () => void
}

/** CodeMirror's texts that a reader meets, by our keys. */
const PHRASES = {
  Find: 'find',
  Replace: 'replace',
  next: 'next',
  previous: 'previous',
  all: 'all',
  'match case': 'matchCase',
  regexp: 'regexp',
  'by word': 'byWord',
  replace: 'replaceOne',
  'replace all': 'replaceAll',
  close: 'closeSearch',
} as const

const usePhrases = (): Record<string, string> => {
  const t = useTranslations('files.editor.phrases')
  return useMemo(() => Object.fromEntries(Object.entries(PHRASES).map(([phrase, key]) => [phrase, t(key)])), [t])
}

/** The draft of an earlier visit, if it differs from what is saved. */
const foundDraft = (serverId: string, path: string, text: string): Draft | null => {
  const found = drafts().read(serverId, path)
  return found === undefined || found.text === text ? null : found
}

/** `version` is the earlier version that is compared with, or was returned to. */
type Shown = {
  readonly round: number
  readonly text: string
  readonly other: string | undefined
  readonly version?: FileVersion | undefined
}

/** The text in the editor, begun anew with a draft or beside another version. */
const useEditing = ({ path, file, content, reread }: EditorProps) => {
  const files = useFiles()
  const serverId = files.server.id
  const code = useRef<CodeHandle>(null)
  const mayChange = file.isWhole && files.may('file.update')
  const [draft, setDraft] = useState(() => (mayChange ? foundDraft(serverId, path, content.text) : null))
  const [shown, setShown] = useState<Shown>({ round: 0, text: content.text, other: undefined })
  const text = () => code.current?.text() ?? shown.text
  const saving = useSaving(files, path, { file, text })
  const show = (next: string, other?: string, version?: FileVersion) =>
    setShown({ round: shown.round + 1, text: next, other, version })
  const [isInHistory, setInHistory] = useState(false)
  const useVersion = async (version: FileVersion, use: VersionUse) => {
    setInHistory(false)
    const bytes = await files.node.readVersion(path, version.id).catch(saving.setFailure)
    const earlier = bytes && fileText(bytes, true)
    if (earlier?.kind !== 'text') return
    if (use === 'compare') show(text(), earlier.text, version)
    else show(earlier.text, undefined, version)
    saving.changed()
  }
  const decideDraft = (takes: boolean) => {
    if (takes && draft !== null) {
      // A draft of an older version is compared with the present one, and never replaces it unseen.
      show(draft.text, draft.etag === file.etag ? undefined : content.text)
      saving.changed()
    } else drafts().forget(serverId, path)
    setDraft(null)
  }
  const compare = () => {
    if (saving.clash === null) return
    show(text(), saving.clash.text)
    saving.compare()
  }
  const discard = () => {
    saving.discard()
    reread()
  }
  const save = () => {
    if (!mayChange) return
    void saving.save()
    if (shown.other !== undefined || shown.version !== undefined) show(text())
  }
  return {
    code,
    mayChange,
    draft,
    shown,
    saving,
    decideDraft,
    compare,
    discard,
    save,
    isInHistory,
    setInHistory,
    useVersion,
  }
}

type Editing = ReturnType<typeof useEditing>

const Bar = ({ file, editing }: { file: OpenFile; editing: Editing }) => {
  const t = useTranslations('files.editor')
  const { code, mayChange, saving, save } = editing
  return (
    <div className="ed-bar">
      {file.isWhole ? null : <span className="small t2">{t('tooLarge')}</span>}
      {file.isWhole && !mayChange ? <span className="small t2">{t('readOnly')}</span> : null}
      <span className="end" />
      <IconButton
        small
        label={t('undo')}
        icon={<Undo2 className="i" aria-hidden />}
        onClick={() => code.current?.undo()}
      />
      <IconButton
        small
        label={t('redo')}
        icon={<Redo2 className="i" aria-hidden />}
        onClick={() => code.current?.redo()}
      />
      <IconButton
        small
        label={t('search')}
        icon={<Search className="i" aria-hidden />}
        onClick={() => code.current?.search()}
      />
      {mayChange ? (
        <IconButton
          small
          label={t('history')}
          icon={<History className="i" aria-hidden />}
          onClick={() => editing.setInHistory(true)}
        />
      ) : null}
      {mayChange ? (
        <Button look="primary" size="s" busy={saving.isSaving} aria-keyshortcuts="Control+S" onClick={save}>
          {t('save')}
        </Button>
      ) : null}
    </div>
  )
}

/** A text file: changed, compared with what others saved meanwhile, and saved. */
export const TextEditor = (opened: EditorProps) => {
  const t = useTranslations('files.editor')
  const { path, file, content } = opened
  const phrases = usePhrases()
  const editing = useEditing(opened)
  const { code, mayChange, draft, shown, saving } = editing
  const [at, setAt] = useState({ line: 1, column: 1 })
  const words = { mine: t('mine'), theirs: t('theirs'), both: t('both') }
  return (
    <>
      <Bar file={file} editing={editing} />
      <EditorNotes
        saving={saving}
        path={path}
        draft={draft}
        isComparing={shown.other !== undefined}
        version={shown.version}
        onDraft={editing.decideDraft}
        onCompare={editing.compare}
        reread={editing.discard}
      />
      <CodeView
        key={shown.round}
        ref={code}
        text={shown.text}
        lineBreak={content.lineBreak}
        language={languageOf(nameOf(path))}
        isReadOnly={!mayChange}
        label={t('content', { name: nameOf(path) })}
        phrases={phrases}
        other={shown.other === undefined ? undefined : { text: shown.other, words }}
        onChange={saving.changed}
        onSave={editing.save}
        onCursor={setAt}
      />
      <StatusLine path={path} file={file} content={content} saving={saving} at={at} />
      <HistoryDialog
        path={path}
        open={editing.isInHistory}
        onUse={editing.useVersion}
        onClose={() => editing.setInHistory(false)}
      />
      <KeyBar onSign={(sign) => code.current?.insert(sign)} />
    </>
  )
}
