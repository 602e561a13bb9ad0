'use client'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { keepViewChoice, readViewChoice } from './view-choice.ts'
import type { EditorView } from './view-choice.ts'
import type { PropertyEntry } from '#domain/config-files/java-properties.ts'
import type { OpenForm } from './use-open-form.ts'

/** Ctrl+S beside the editor, which has its own. */
export const useSaveKey = (isActive: boolean, onSave: () => void) => {
  const save = useEffectEvent(onSave)
  useEffect(() => {
    if (!isActive) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || event.altKey || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      save()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isActive])
}

/** A longer text has no form: all of it is read with every key that is pressed. */
const MAX_FORM_LENGTH = 256 * 1024

const NO_ENTRIES: readonly PropertyEntry[] = []

type ViewOf = {
  readonly opened: OpenForm | null
  readonly isWhole: boolean
  /** The text with which the editor began, and its round. */
  readonly shown: { readonly round: number; readonly lines: string; readonly isComparing: boolean }
}

/** Form or text of a file that has a form. Both show the editor's own text, so that either sees what the other changed. */
export const usePropertiesView = ({ opened, isWhole, shown }: ViewOf) => {
  const [choice, setChoice] = useState(readViewChoice)
  const [typed, setTyped] = useState({ round: shown.round, text: shown.lines })
  const [isRefused, setRefused] = useState(false)
  const text = typed.round === shown.round ? typed.text : shown.lines
  const form = isWhole && text.length <= MAX_FORM_LENGTH ? opened : null
  const hasForm = form !== null
  const entries = useMemo(() => form?.form.read(text), [form, text])
  const isReadable = form === null || entries !== undefined
  const wrongLine = useMemo(() => (isReadable ? undefined : form?.wrongLine?.(text)), [form, isReadable, text])
  const isForm = hasForm && choice === 'form' && isReadable && !shown.isComparing
  return {
    /** The form of the file, where it has one. */
    opened: form,
    hasForm,
    isForm,
    isReadable,
    /** The entries of the text, where it has a form and can be read. */
    entries: entries ?? NO_ENTRIES,
    /** Where the text stops being YAML; null for a file of another kind. */
    wrongLine: wrongLine ?? null,
    /** The form says why it does not save. */
    isRefused: isForm && isRefused,
    text,
    setRefused,
    choose: (view: EditorView) => {
      setChoice(view)
      keepViewChoice(view)
    },
    changed: (next: string) => {
      setRefused(false)
      setTyped({ round: shown.round, text: next })
    },
  }
}

export type PropertiesView = ReturnType<typeof usePropertiesView>
