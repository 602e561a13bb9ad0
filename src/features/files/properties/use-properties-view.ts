'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { readProperties } from '#domain/config-files/java-properties.ts'
import { SERVER_PROPERTIES_FILE } from '#domain/config-files/server-properties.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import { keepViewChoice, readViewChoice } from './view-choice.ts'
import type { EditorView } from './view-choice.ts'

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

type ViewOf = {
  readonly path: string
  readonly isWhole: boolean
  /** The text with which the editor began, and its round. */
  readonly shown: { readonly round: number; readonly lines: string; readonly isComparing: boolean }
}

/** Form or text of a file that has a form. Both show the editor's own text, so that either sees what the other changed. */
export const usePropertiesView = ({ path, isWhole, shown }: ViewOf) => {
  const hasForm = isWhole && nameOf(path) === SERVER_PROPERTIES_FILE
  const [choice, setChoice] = useState(readViewChoice)
  const [typed, setTyped] = useState({ round: shown.round, text: shown.lines })
  const [isRefused, setRefused] = useState(false)
  const text = typed.round === shown.round ? typed.text : shown.lines
  const isReadable = !hasForm || readProperties(text) !== undefined
  const isForm = hasForm && choice === 'form' && isReadable && !shown.isComparing
  return {
    hasForm,
    isForm,
    isReadable,
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
