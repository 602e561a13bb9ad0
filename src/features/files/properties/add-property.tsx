'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ConfigField } from '#domain/config-files/config-form.ts'
import { Button } from '@/ui/controls/button.tsx'
import type { PropertyTexts } from './property-texts.ts'

type AddProps = {
  readonly missing: readonly ConfigField[]
  readonly texts: PropertyTexts
  readonly onAdd: (field: ConfigField) => void
}

/** Adds a key that the file does not have, with the value that the program takes anyway. */
export const AddProperty = ({ missing, texts, onAdd }: AddProps) => {
  const t = useTranslations('files.form')
  const [key, setKey] = useState('')
  const chosen = missing.find((property) => property.key === key) ?? missing[0]
  if (chosen === undefined) return null
  return (
    <form
      className="prop-add"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd(chosen)
      }}
    >
      <label>
        <span>{t('add')}</span>
        <select className="input" value={chosen.key} onChange={(event) => setKey(event.currentTarget.value)}>
          {missing.map((property) => (
            <option key={property.key} value={property.key}>
              {texts[property.key]?.name ?? property.key} ({property.key})
            </option>
          ))}
        </select>
      </label>
      <Button type="submit">{t('addButton')}</Button>
    </form>
  )
}
