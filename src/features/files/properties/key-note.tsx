'use client'
import { Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { PropertyEntry } from '#domain/config-files/java-properties.ts'
import { usePropertyFacts } from './property-facts.ts'
import { entryAtLine } from './property-rows.ts'
import { usePropertyTexts } from './property-texts.ts'
import type { OpenForm } from './use-open-form.ts'

type NoteProps = {
  readonly opened: OpenForm
  readonly text: string
  readonly entries: readonly PropertyEntry[]
  readonly line: number
}

/** Below the text: what the key at the cursor does, and which values it takes. */
export const KeyNote = ({ opened, text, entries, line }: NoteProps) => {
  const t = useTranslations('files.form')
  const texts = usePropertyTexts(opened)
  const factsOf = usePropertyFacts()
  const key = entryAtLine(text, entries, line)?.key
  const known = key === undefined ? undefined : texts?.[key]
  return (
    <p className="key-note small">
      <Info className="i" aria-hidden />
      {key === undefined || known === undefined ? (
        <span className="t2">{t('noKey')}</span>
      ) : (
        <span>
          <b>{key}</b>{' '}
          <span className="t2">
            {[known.help, factsOf(opened.form.fieldOf(key)?.kind)].filter(Boolean).join(' · ')}
          </span>
        </span>
      )}
    </p>
  )
}
