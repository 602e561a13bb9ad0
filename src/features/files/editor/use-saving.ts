'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { FileTrouble } from '../file-trouble.ts'
import type { Files } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { drafts } from './draft.ts'
import { readOpenFile } from './use-open-file.ts'
import type { OpenFile } from './use-open-file.ts'

/** The version that somebody else, or the server itself, has saved meanwhile. */
export type Clash = { readonly text: string; readonly etag: string; readonly mtimeMs: number | undefined }

const DRAFT_MS = 800

/** Asks before the page is left with text that is not saved. */
const useLeaveGuard = (isDirty: boolean) => {
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
}

type DraftSource = { readonly text: () => string; readonly etag: string }

/** Keeps the typed text in the browser, a moment after each change and when the editor is left. */
const useDraft = (serverId: string, path: string, source: DraftSource) => {
  const [draftAtMs, setDraftAtMs] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(source)
  useEffect(() => {
    latest.current = source
  })
  const [keep] = useState(() => () => {
    timer.current = undefined
    const atMs = Date.now()
    drafts().keep(serverId, path, { text: latest.current.text(), etag: latest.current.etag, atMs })
    return atMs
  })
  // Before the editor itself is gone, with its text.
  useLayoutEffect(
    () => () => {
      if (timer.current === undefined) return
      clearTimeout(timer.current)
      keep()
    },
    [keep],
  )
  return {
    draftAtMs,
    keepLater: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setDraftAtMs(keep()), DRAFT_MS)
    },
    forget: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      drafts().forget(serverId, path)
      setDraftAtMs(null)
    },
  }
}

type SavingDeps = { readonly file: OpenFile; readonly text: () => string; readonly onSaved: (text: string) => void }

/**
 * Saves a text over the version that was opened, and over no other: when there is one, both are compared. What is typed is
 * kept in the browser until it is saved.
 */
export const useSaving = (files: Files, path: string, { file, text, onSaved }: SavingDeps) => {
  const client = useQueryClient()
  const serverId = files.server.id
  const [etag, setEtag] = useState(file.etag)
  const [isDirty, setDirty] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [savedAtMs, setSavedAtMs] = useState<number | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [clash, setClash] = useState<Clash | null>(null)
  const draft = useDraft(serverId, path, { text, etag })
  useLeaveGuard(isDirty)

  const changed = () => {
    setDirty(true)
    draft.keepLater()
  }

  /** Forgets the text that was typed here. */
  const discard = () => {
    draft.forget()
    setDirty(false)
  }

  const saved = (next: string, written: string) => {
    discard()
    onSaved(written)
    setEtag(next)
    setSavedAtMs(Date.now())
    void client.invalidateQueries({ queryKey: [...filesKey(serverId), 'folder'] })
  }

  const findOther = async (trouble: FileTrouble) => {
    const other = await readOpenFile(files, { path })
    if (other.content.kind !== 'text' || !other.isWhole) throw trouble
    setClash({ text: other.content.text, etag: other.etag, mtimeMs: trouble.mtimeMs })
  }

  const save = async (): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    setFailure(null)
    try {
      const written = text()
      saved(await files.node.write(path, written, etag), written)
      setClash(null)
    } catch (error) {
      const isChanged = error instanceof FileTrouble && error.code === 'CHANGED'
      await (isChanged ? findOther(error) : Promise.reject(error)).catch(setFailure)
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
    draftAtMs: draft.draftAtMs,
    failure,
    setFailure,
    clash,
    changed,
    save,
    compare,
    discard,
  }
}

export type Saving = ReturnType<typeof useSaving>
