'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useContext, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { folderOf, nameOf } from '#contracts/panel/file-path.ts'
import { LeaveGuardContext } from '@/ui/screen/leave-guard.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { Files } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { makeFolders } from '../make-folders.ts'
import { useDraft } from './use-draft.ts'
import { readOpenFile } from './use-open-file.ts'
import type { OpenFile } from './use-open-file.ts'

/** The version that somebody else, or the server itself, has saved meanwhile. */
export type Clash = { readonly text: string; readonly etag: string; readonly mtimeMs: number | undefined }

/** Asks before the page is left with text that is not saved, and says whether it stays in the browser. */
const useHeldPage = (isDirty: boolean, path: string, keepNow: () => boolean) => {
  const t = useTranslations('files.editor.leave')
  const { hold } = useContext(LeaveGuardContext)
  const latest = useRef(keepNow)
  useEffect(() => {
    latest.current = keepNow
  })
  useEffect(() => {
    if (!isDirty) return undefined
    hold(() => t(latest.current() ? 'text' : 'textLost', { name: nameOf(path) }))
    return () => hold(null)
  }, [isDirty, hold, path, t])
}

const isTrouble = (error: unknown, code: FileTrouble['code']): error is FileTrouble =>
  error instanceof FileTrouble && error.code === code

/** Writes a file at a path that nothing has, with the folders above it that are missing. */
const writeNew = async ({ node }: Files, path: string, text: string): Promise<string> => {
  try {
    return await node.write(path, text, null)
  } catch (error) {
    if (!isTrouble(error, 'NOT_FOUND')) throw error
  }
  await makeFolders(node, folderOf(path))
  return node.write(path, text, null)
}

/** The version that is there now. Throws the trouble where it is no text, or too large. */
const otherVersion = async (files: Files, path: string, trouble: FileTrouble): Promise<Clash> => {
  const { content, isWhole, etag, mtimeMs } = await readOpenFile(files, { path })
  if (content.kind !== 'text' || !isWhole) throw trouble
  return { text: content.text, etag, mtimeMs: trouble.mtimeMs ?? (mtimeMs || undefined) }
}

type SavingDeps = {
  readonly userId: string
  readonly file: OpenFile
  readonly text: () => string
  readonly onSaved: (text: string) => void
}

/**
 * Saves a text over the version that was opened, and over no other: when there is one, both are compared. A file that
 * is gone can be saved as a new one. Typed text is kept in the browser until it is saved.
 */
export const useSaving = (files: Files, path: string, { userId, file, text, onSaved }: SavingDeps) => {
  const client = useQueryClient()
  const serverId = files.server.id
  const [etag, setEtag] = useState(file.etag)
  const [isDirty, setDirty] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [savedAtMs, setSavedAtMs] = useState<number | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [clash, setClash] = useState<Clash | null>(null)
  const [isGone, setGone] = useState(false)
  const draft = useDraft({ userId, serverId, path }, { text, etag })
  useHeldPage(isDirty, path, draft.keepNow)

  const changed = () => {
    setDirty(true)
    draft.keepLater()
  }

  /** Forgets the text that was typed here. */
  const discard = () => {
    draft.forget()
    setDirty(false)
  }

  const failed = (error: unknown): void => {
    if (isTrouble(error, 'NOT_FOUND')) setGone(true)
    else setFailure(error)
  }

  const saveBy = async (write: (text: string) => Promise<string>): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    setFailure(null)
    setGone(false)
    try {
      const written = text()
      const next = await write(written)
      // Text that was typed on the way is not in the file: it stays as the draft of the new version.
      if (text() === written) discard()
      else draft.keepLater()
      onSaved(written)
      setEtag(next)
      setSavedAtMs(Date.now())
      setClash(null)
      void client.invalidateQueries({ queryKey: [...filesKey(serverId), 'folder'] })
    } catch (error) {
      const isOther = isTrouble(error, 'CHANGED') || isTrouble(error, 'ALREADY_EXISTS')
      await (isOther ? otherVersion(files, path, error).then(setClash) : Promise.reject(error)).catch(failed)
    } finally {
      setSaving(false)
    }
  }

  /** From now on the text replaces the other version: the reader compares the two. */
  const compare = () => {
    if (clash !== null) setEtag(clash.etag)
    setDirty(true)
  }

  return {
    isDirty,
    isSaving,
    savedAtMs,
    draft: draft.state,
    adoptDraft: draft.adopt,
    failure,
    setFailure,
    clash,
    /** Somebody has deleted or renamed the file meanwhile. */
    isGone,
    changed,
    save: () => saveBy((written) => files.node.write(path, written, etag)),
    saveAsNew: () => saveBy((written) => writeNew(files, path, written)),
    compare,
    discard,
  }
}

export type Saving = ReturnType<typeof useSaving>
