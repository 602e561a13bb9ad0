'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { readProperties } from '#domain/config-files/java-properties.ts'
import { describedProperty, refusedValue } from '#domain/config-files/server-properties.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import { keepViewChoice, readViewChoice } from './view-choice.ts'
import type { EditorView } from './view-choice.ts'

const SERVER_PROPERTIES_FILE = 'server.properties'

/** Whether the server reads the file at this path when it starts, and only then. */
export const isReadAtStart = (path: string): boolean => path === SERVER_PROPERTIES_FILE

/** Keys whose value was changed to one that the server does not take. */
export const refusedChanges = (text: string, savedText: string): readonly string[] => {
  const saved = new Map(readProperties(savedText)?.map(({ key, value }) => [key, value]))
  return (readProperties(text) ?? [])
    .filter(({ key, value }) => saved.get(key) !== value)
    .filter(({ key, value }) => {
      const kind = describedProperty(key)?.kind
      return kind !== undefined && refusedValue(kind, value) !== undefined
    })
    .map(({ key }) => key)
}

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
  /** What the editor began with, in which round. */
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
