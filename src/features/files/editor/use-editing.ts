'use client'
import { useEffect, useRef, useState } from 'react'
import type { FileVersion } from '#contracts/panel/node-files.ts'
import { isReadAtStart } from '#domain/config-files/server-properties.ts'
import { useFiles } from '../files-context.tsx'
import type { Files } from '../files-context.tsx'
import { isDescribed } from '../properties/use-open-form.ts'
import type { OpenForm } from '../properties/use-open-form.ts'
import { useRestartNeed } from '../properties/use-restart-need.ts'
import type { CodeHandle } from './code-view.tsx'
import { drafts } from './draft.ts'
import type { DraftPlace, KeptDraft } from './draft.ts'
import { fileText, WHOLE } from './file-text.ts'
import type { FileText } from './file-text.ts'
import type { VersionUse } from './history-dialog.tsx'
import type { OpenFile } from './use-open-file.ts'
import { useSaving } from './use-saving.ts'
import type { Saving } from './use-saving.ts'

export type EditorProps = {
  /** The reader, to whom drafts belong. */
  readonly userId: string
  readonly path: string
  readonly file: OpenFile
  readonly content: Extract<FileText, { kind: 'text' }>
  readonly reread: () => void
  /** The file's form; null for a file that nothing describes. */
  readonly form: OpenForm | null
  /** Shows another piece, by its first byte; null for a file that is shown as a whole. */
  readonly pieces: Pieces | null
}
export type Pieces = { readonly isReading: boolean; readonly show: (from: number) => void }

/** The drafts of other windows and earlier visits that differ from what is saved; the others are done. */
const foundDrafts = (place: DraftPlace, text: string): KeptDraft[] =>
  drafts.list(place).filter(({ id, text: typed }) => {
    if (typed === text) drafts.forget(place, id)
    return typed !== text
  })

/** Offers the newest draft, and the one before it when that is discarded; none for a reader who may not save, without a text. */
const useFoundDrafts = (place: DraftPlace, text: string | null) => {
  const [found, setFound] = useState(() => (text === null ? [] : foundDrafts(place, text)))
  const [draft = null, ...older] = found
  const decided = (isTaken: boolean) => {
    if (draft !== null && !isTaken) drafts.forget(place, draft.id)
    setFound(isTaken ? [] : older)
  }
  return { draft, decided }
}

/** `version` is the earlier version that is compared with, or was returned to. */
type Shown = {
  readonly round: number
  readonly text: string
  readonly other: string | undefined
  readonly version?: FileVersion | undefined
}

/**
 * Whether the right to change the file was taken away while something is typed that is not saved. A refusal is over when the
 * right that it named is back.
 */
const useLostRight = ({ server }: Files, { isWhole }: OpenFile, { isDirty, setFailure }: Saving): boolean => {
  const isAllowed = server.permissions.includes('file.update')
  useEffect(() => {
    if (isAllowed) setFailure(null)
  }, [isAllowed, setFailure])
  return isDirty && isWhole && !isAllowed
}

/** The text in the editor, begun anew with a draft or beside another version. */
export const useEditing = ({ userId, path, file, content, reread, form }: EditorProps) => {
  const files = useFiles()
  const code = useRef<CodeHandle>(null)
  const mayChange = file.isWhole && files.may('file.update')
  const { draft, decided } = useFoundDrafts(
    { userId, serverId: files.server.id, path },
    mayChange ? content.text : null,
  )
  const [shown, setShown] = useState<Shown>({ round: 0, text: content.text, other: undefined })
  const text = () => code.current?.text() ?? shown.text
  const [savedText, setSavedText] = useState(content.text)
  const restart = useRestartNeed(files, file.mtimeMs, isReadAtStart(path, isDescribed(form)))
  const onSaved = (written: string) => {
    setSavedText(written)
    restart.saved()
  }
  const saving = useSaving(files, path, { userId, file, text, onSaved })
  const show = (next: string, other?: string, version?: FileVersion) =>
    setShown({ round: shown.round + 1, text: next, other, version })
  const [isInHistory, setInHistory] = useState(false)
  const useVersion = async (version: FileVersion, use: VersionUse) => {
    setInHistory(false)
    const bytes = await files.node.readVersion(path, version.id).catch(saving.setFailure)
    const earlier = bytes && fileText(bytes, WHOLE)
    if (earlier?.kind !== 'text') return
    if (use === 'compare') show(text(), earlier.text, version)
    else show(earlier.text, undefined, version)
    saving.changed()
  }
  const decideDraft = (takes: boolean) => {
    decided(takes)
    if (draft === null || !takes) return
    // A draft of an older version is compared with the present one, and never replaces it unseen.
    show(draft.text, draft.etag === file.etag ? undefined : content.text)
    saving.adoptDraft(draft.id)
    saving.changed()
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
    isHeld: useLostRight(files, file, saving),
    draft,
    shown,
    saving,
    savedText,
    needsRestart: restart.isNeeded,
    decideDraft,
    compare,
    discard,
    save,
    isInHistory,
    setInHistory,
    useVersion,
  }
}

export type Editing = ReturnType<typeof useEditing>
