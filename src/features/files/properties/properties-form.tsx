'use client'
import { Gamepad2, Gauge, Globe, KeyRound, ListTree, Package, Search, SlidersHorizontal, Users } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { isPropertyGroup, PROPERTY_GROUPS } from '#domain/config-files/server-properties.ts'
import type { PropertyGroup } from '#domain/config-files/server-properties.ts'
import { valuesOf } from '#domain/config-files/config-form.ts'
import type { PropertyEntry, TextChange } from '#domain/config-files/java-properties.ts'
import { Input } from '@/ui/controls/input.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { AddProperty } from './add-property.tsx'
import { PropertyField } from './property-field.tsx'
import { groupedRows, missingFields, OTHER } from './property-rows.ts'
import type { PropertyRow } from './property-rows.ts'
import { usePropertyTexts } from './property-texts.ts'
import type { PropertyTexts } from './property-texts.ts'
import type { OpenForm } from './use-open-form.ts'

const ICONS: Readonly<Record<PropertyGroup, LucideIcon>> = {
  game: Gamepad2,
  players: Users,
  world: Globe,
  list: ListTree,
  packs: Package,
  performance: Gauge,
  access: KeyRound,
}

/** The groups of the form in their order, with their names. */
const useGroups = ({ described }: OpenForm): { readonly ids: readonly string[]; nameOf: (id: string) => string } => {
  const t = useTranslations('files.form')
  if (described === null) {
    return { ids: PROPERTY_GROUPS, nameOf: (id) => t(`groups.${isPropertyGroup(id) ? id : OTHER}`) }
  }
  const { groups } = described
  return {
    ids: groups.map(({ id }) => id),
    nameOf: (id) => groups.find((each) => each.id === id)?.name ?? t('groups.other'),
  }
}

type FormProps = {
  readonly opened: OpenForm
  readonly text: string
  readonly entries: readonly PropertyEntry[]
  /** The text as the server has it. */
  readonly savedText: string
  readonly isReadOnly: boolean
  readonly onChange: (change: TextChange) => void
}

const Shown = ({ texts, ...props }: FormProps & { texts: PropertyTexts }) => {
  const { opened, text, entries, savedText, isReadOnly, onChange } = props
  const t = useTranslations('files.form')
  const [search, setSearch] = useState('')
  const [unwritten, setUnwritten] = useState<string | null>(null)
  const { form } = opened
  const { ids, nameOf } = useGroups(opened)
  const saved = useMemo(() => valuesOf(form, savedText), [form, savedText])
  const groups = groupedRows(entries, { form, groups: ids, texts, search })
  const players = entries.findLast(({ key }) => key === 'max-players')?.value ?? ''
  const field = (row: PropertyRow) => (
    <PropertyField
      key={row.entry.key}
      row={row}
      texts={texts}
      players={players}
      isOfMinecraft={opened.described === null}
      isChanged={saved.get(row.entry.key) !== row.entry.value}
      isReadOnly={isReadOnly}
      isUnwritten={unwritten === row.entry.key}
      onChange={(value) => {
        const change = form.change(text, row.entry, value)
        setUnwritten(change === undefined ? row.entry.key : null)
        if (change !== undefined) onChange(change)
      }}
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
        const Sign = opened.described === null && isPropertyGroup(group) ? ICONS[group] : SlidersHorizontal
        return (
          <section key={group} aria-labelledby={`props-${group}`}>
            <h2 id={`props-${group}`}>
              <Sign className="i" aria-hidden />
              {nameOf(group)}
            </h2>
            {rows.map(field)}
          </section>
        )
      })}
      {groups.length === 0 ? <EmptyState>{t(search === '' ? 'empty' : 'notFound')}</EmptyState> : null}
      {isReadOnly || search !== '' || form.add === null ? null : (
        <AddProperty
          missing={missingFields(form, entries)}
          texts={texts}
          onAdd={({ key, kind }) => {
            const change = form.add?.(text, key, kind.preset)
            if (change !== undefined) onChange(change)
          }}
        />
      )}
    </>
  )
}

/** The keys of a described file as fields. Comments, order and everything that is not changed stay as they are. */
export const PropertiesForm = (form: FormProps) => {
  const t = useTranslations('files.form')
  const texts = usePropertyTexts(form.opened)
  return (
    <div className="props">
      {texts === undefined ? <SkeletonRows rows={10} label={t('reading')} /> : <Shown {...form} texts={texts} />}
    </div>
  )
}
