'use client'
import { Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { readProperties } from '#domain/config-files/java-properties.ts'
import { describedProperty } from '#domain/config-files/server-properties.ts'
import { usePropertyFacts } from './property-facts.ts'
import { entryAtLine } from './property-rows.ts'
import { usePropertyTexts } from './property-texts.ts'

/** Below the text: what the key at the cursor does, and which values it takes. */
export const KeyNote = ({ text, line }: { text: string; line: number }) => {
  const t = useTranslations('files.form')
  const texts = usePropertyTexts()
  const factsOf = usePropertyFacts()
  const key = entryAtLine(text, readProperties(text) ?? [], line)?.key
  const known = key === undefined ? undefined : texts?.[key]
  return (
    <p className="key-note small">
      <Info className="i" aria-hidden />
      {key === undefined || known === undefined ? (
        <span className="t2">{t('noKey')}</span>
      ) : (
        <span>
          <b>{key}</b>{' '}
          <span className="t2">{[known.help, factsOf(describedProperty(key)?.kind)].filter(Boolean).join(' · ')}</span>
        </span>
      )}
    </p>
  )
}
