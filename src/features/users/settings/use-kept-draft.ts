'use client'
import { useEffect } from 'react'
import { LANGUAGE_CHOICE } from '@/i18n/switch-language.ts'
import { keepDraft, takeDraft } from '../form-draft.ts'
import type { DraftName } from '../form-draft.ts'

type Draft = {
  /** The current input, or null if nothing would be lost. */
  read: () => Readonly<Record<string, string>> | null
  fill: (field: string, text: string) => void
}

/** Preserves a form's input across a change of language; without a name it keeps and restores nothing. */
export const useKeptDraft = (name: DraftName | null, { read, fill }: Draft): void => {
  useEffect(() => {
    if (name === null) return
    for (const [field, text] of Object.entries(takeDraft(name))) if (typeof text === 'string') fill(field, text)
    const keep = () => {
      const typed = read()
      if (typed !== null) keepDraft(name, typed)
    }
    document.addEventListener(LANGUAGE_CHOICE, keep)
    return () => document.removeEventListener(LANGUAGE_CHOICE, keep)
  }, [name, read, fill])
}
