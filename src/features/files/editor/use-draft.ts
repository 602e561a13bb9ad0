'use client'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { newRequestId } from '@/lib/browser-client/request-id.ts'
import { draftKey, drafts } from './draft.ts'
import type { DraftPlace } from './draft.ts'

const DRAFT_MS = 800

type DraftSource = { readonly text: () => string; readonly etag: string }
/** The last attempt to keep the typed text in the browser. */
export type DraftState = { readonly atMs: number; readonly isKept: boolean }

/** Keeps the typed text in the browser, a moment after each change and when the editor is left. */
export const useDraft = (place: DraftPlace, source: DraftSource) => {
  const [id] = useState(newRequestId)
  const [state, setState] = useState<DraftState | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ place, source })
  /** Drafts of other windows that the text comes from. */
  const adopted = useRef<readonly string[]>([])
  useEffect(() => {
    latest.current = { place, source }
  })
  const [keep] = useState(() => (): DraftState => {
    clearTimeout(timer.current)
    timer.current = undefined
    const { place: at, source: from } = latest.current
    const atMs = Date.now()
    const isKept = drafts.keep(at, { id, text: from.text(), etag: from.etag, atMs })
    if (isKept) {
      for (const other of adopted.current) drafts.forget(at, other)
      adopted.current = []
    }
    return { atMs, isKept }
  })
  useLayoutEffect(() => {
    const keepPending = () => {
      if (timer.current !== undefined) keep()
    }
    window.addEventListener('pagehide', keepPending)
    // Before the editor itself is gone, with its text.
    return () => {
      window.removeEventListener('pagehide', keepPending)
      keepPending()
    }
  }, [keep])
  const isTyped = state !== null
  useEffect(() => {
    if (!isTyped) return undefined
    // Another window has discarded it, and the text is still here.
    const keepAgain = ({ key, newValue }: StorageEvent) => {
      if (newValue === null && (key === null || key === draftKey(latest.current.place, id))) setState(keep())
    }
    window.addEventListener('storage', keepAgain)
    return () => window.removeEventListener('storage', keepAgain)
  }, [isTyped, id, keep])
  return {
    state,
    keepLater: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setState(keep()), DRAFT_MS)
    },
    /** Keeps it now, and returns whether that was possible. */
    keepNow: (): boolean => {
      const now = keep()
      setState(now)
      return now.isKept
    },
    /** The text now is that of another window's draft, which goes once this one is kept or saved. */
    adopt: (other: string) => {
      adopted.current = [...adopted.current, other]
    },
    forget: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      for (const one of [id, ...adopted.current]) drafts.forget(place, one)
      adopted.current = []
      setState(null)
    },
  }
}
