'use client'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { refusedChanges } from '#domain/config-files/config-form.ts'
import { isReadAtStart } from '#domain/config-files/server-properties.ts'
import { FormNotes } from '../properties/form-notes.tsx'
import { KeyNote } from '../properties/key-note.tsx'
import { PropertiesForm } from '../properties/properties-form.tsx'
import { isDescribed } from '../properties/use-open-form.ts'
import { usePropertiesView, useSaveKey } from '../properties/use-properties-view.ts'
import { CodeView } from './code-view.tsx'
import { EditorBar } from './editor-bar.tsx'
import { languageOf } from './editor-language.ts'
import { EditorNotes } from './editor-notes.tsx'
import { linesOf } from './file-text.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { KeyBar } from './key-bar.tsx'
import { StatusLine } from './status-line.tsx'
import { useEditing } from './use-editing.ts'
import type { Editing, EditorProps } from './use-editing.ts'

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

/** The text in both views: what the form shows, and what it holds back from saving. */
const useViews = ({ form, file, content }: EditorProps, editing: Editing) => {
  const { code, shown, saving, savedText } = editing
  const lines = (text: string) => linesOf(text, content.lineBreak)
  const view = usePropertiesView({
    opened: form,
    isWhole: file.isWhole,
    shown: { round: shown.round, lines: lines(shown.text), isComparing: shown.other !== undefined },
  })
  const save = () => {
    const isHeld = view.isForm && form !== null && refusedChanges(form.form, view.text, lines(savedText)).length > 0
    view.setRefused(isHeld)
    if (!isHeld) editing.save()
  }
  const changed = () => {
    saving.changed()
    if (view.hasForm && code.current !== null) view.changed(code.current.lines())
  }
  useSaveKey(view.isForm, save)
  return { view, save, changed, savedLines: lines(savedText) }
}

type Cursor = { readonly line: number; readonly column: number }
type ContentProps = {
  readonly opened: EditorProps
  readonly editing: Editing
  readonly views: ReturnType<typeof useViews>
  readonly onCursor: (at: Cursor) => void
}

/** The text, and over it the form where that is chosen: the form changes the text. */
const Content = ({ opened, editing, views, onCursor }: ContentProps) => {
  const t = useTranslations('files.editor')
  const phrases = usePhrases()
  const { path, file, content } = opened
  const { code, mayChange, shown } = editing
  const { view, save, changed, savedLines } = views
  const words = { mine: t('mine'), theirs: t('theirs'), both: t('both') }
  return (
    <>
      {view.isForm && view.opened !== null ? (
        <PropertiesForm
          opened={view.opened}
          text={view.text}
          entries={view.entries}
          savedText={savedLines}
          isReadOnly={!mayChange}
          onChange={(change) => code.current?.change(change)}
        />
      ) : null}
      <div className="ed-text" hidden={view.isForm}>
        <CodeView
          key={shown.round}
          ref={code}
          text={shown.text}
          lineBreak={content.lineBreak}
          language={languageOf(nameOf(path))}
          isReadOnly={!mayChange}
          hasLineNumbers={file.from === 0}
          startsAtEnd={file.from > 0 && file.to >= file.total}
          label={t('content', { name: nameOf(path) })}
          phrases={phrases}
          other={shown.other === undefined ? undefined : { text: shown.other, words }}
          onChange={changed}
          onSave={save}
          onCursor={onCursor}
        />
      </div>
    </>
  )
}

/** A text file: changed, compared with what others saved meanwhile, and saved. */
export const TextEditor = (opened: EditorProps) => {
  const { path, file, content, pieces, form } = opened
  const editing = useEditing(opened)
  const views = useViews(opened, editing)
  const { code, draft, shown, saving } = editing
  const { view, save } = views
  const [at, setAt] = useState<Cursor>({ line: 1, column: 1 })
  return (
    <>
      <EditorBar
        file={file}
        editing={editing}
        view={view}
        isReadAtStart={isReadAtStart(path, isDescribed(form))}
        pieces={pieces}
        onSave={save}
      />
      <EditorNotes
        isHeld={editing.isHeld}
        saving={saving}
        path={path}
        draft={draft}
        isComparing={shown.other !== undefined}
        version={shown.version}
        onDraft={editing.decideDraft}
        onCompare={editing.compare}
        reread={editing.discard}
      />
      <FormNotes view={view} needsRestart={editing.needsRestart} />
      <Content opened={opened} editing={editing} views={views} onCursor={setAt} />
      {view.opened !== null && !view.isForm ? (
        <KeyNote opened={view.opened} text={view.text} entries={view.entries} line={at.line} />
      ) : null}
      <StatusLine
        path={path}
        file={file}
        content={content}
        saving={saving}
        at={view.isForm || file.from > 0 ? null : at}
      />
      <HistoryDialog
        path={path}
        open={editing.isInHistory}
        onUse={editing.useVersion}
        onClose={() => editing.setInHistory(false)}
      />
      {view.isForm || !editing.mayChange ? null : <KeyBar onSign={(sign) => code.current?.insert(sign)} />}
    </>
  )
}
