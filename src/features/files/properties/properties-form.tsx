'use client'
import { Gamepad2, Gauge, Globe, KeyRound, ListTree, Package, Search, SlidersHorizontal, Users } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { additionOf, propertyValues, readProperties, valueChange } from '#domain/config-files/java-properties.ts'
import type { TextChange } from '#domain/config-files/java-properties.ts'
import { Input } from '@/ui/controls/input.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { AddProperty } from './add-property.tsx'
import { PropertyField } from './property-field.tsx'
import { groupedRows, missingProperties } from './property-rows.ts'
import type { PropertyRow, RowGroup } from './property-rows.ts'
import { usePropertyTexts } from './property-texts.ts'
import type { PropertyTexts } from './property-texts.ts'

const ICONS: Readonly<Record<RowGroup['group'], LucideIcon>> = {
  game: Gamepad2,
  players: Users,
  world: Globe,
  list: ListTree,
  packs: Package,
  performance: Gauge,
  access: KeyRound,
  other: SlidersHorizontal,
}

type FormProps = {
  readonly text: string
  /** The text as the server has it. */
  readonly savedText: string
  readonly isReadOnly: boolean
  readonly onChange: (change: TextChange) => void
}

const Shown = ({ text, savedText, isReadOnly, onChange, texts }: FormProps & { texts: PropertyTexts }) => {
  const t = useTranslations('files.form')
  const [search, setSearch] = useState('')
  const entries = useMemo(() => readProperties(text) ?? [], [text])
  const saved = useMemo(() => propertyValues(savedText), [savedText])
  const groups = groupedRows(entries, texts, search)
  const players = entries.findLast(({ key }) => key === 'max-players')?.value ?? ''
  const field = (row: PropertyRow) => (
    <PropertyField
      key={row.entry.key}
      row={row}
      texts={texts}
      players={players}
      isChanged={saved.get(row.entry.key) !== row.entry.value}
      isReadOnly={isReadOnly}
      onChange={(value) => onChange(valueChange(row.entry, value))}
    />
  )
  return (
    <>
      <div className="props-search">
        <Input
          label={t('search')}
          placeholder={t('search')}
          icon={<Search className="i" aria-hidden />}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {groups.map(({ group, rows }) => {
        const Sign = ICONS[group]
        return (
          <section key={group} aria-labelledby={`props-${group}`}>
            <h2 id={`props-${group}`}>
              <Sign className="i" aria-hidden />
              {t(`groups.${group}`)}
            </h2>
            {rows.map(field)}
          </section>
        )
      })}
      {groups.length === 0 ? <EmptyState>{t(search === '' ? 'empty' : 'notFound')}</EmptyState> : null}
      {isReadOnly || search !== '' ? null : (
        <AddProperty
          missing={missingProperties(entries)}
          texts={texts}
          onAdd={({ key, kind }) => {
            const change = additionOf(text, key, kind.preset)
            if (change !== undefined) onChange(change)
          }}
        />
      )}
    </>
  )
}

/** The keys of server.properties as fields. Comments, order and everything that is not changed stay as they are. */
export const PropertiesForm = (form: FormProps) => {
  const t = useTranslations('files.form')
  const texts = usePropertyTexts()
  return (
    <div className="props">
      {texts === undefined ? <SkeletonRows rows={10} label={t('reading')} /> : <Shown {...form} texts={texts} />}
    </div>
  )
}
