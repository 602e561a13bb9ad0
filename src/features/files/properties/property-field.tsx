'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { refusedValue } from '#domain/config-files/server-properties.ts'
import { Button } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { useFiles } from '../files-context.tsx'
import { MotdPreview } from './motd-preview.tsx'
import { PropertyControl } from './property-control.tsx'
import { usePropertyFacts, useRefusalText } from './property-facts.ts'
import type { PropertyRow } from './property-rows.ts'
import type { PropertyTexts } from './property-texts.ts'

export type FieldProps = {
  readonly row: PropertyRow
  readonly texts: PropertyTexts
  readonly isChanged: boolean
  readonly isReadOnly: boolean
  /** A value that was typed could not be written, and is not there. */
  readonly isUnwritten: boolean
  /** The players that the server takes, for the preview of its message. */
  readonly players: string
  /** Minecraft's own file, whose message has a preview. */
  readonly isOfMinecraft: boolean
  readonly onChange: (value: string) => void
}

/** The port or address that players reach, beside one that the file has. */
const OwnAddress = ({ row, isReadOnly, onChange }: Pick<FieldProps, 'row' | 'isReadOnly' | 'onChange'>) => {
  const t = useTranslations('files.form')
  const { server } = useFiles()
  const { key, value } = row.entry
  const own = key === 'server-port' ? server.port : null
  if (own === null) return <p className="small t2">{t('ownAddress')}</p>
  if (String(own) === value) return <p className="small t2">{t('ownPort', { port: String(own) })}</p>
  return (
    <div className="prop-own">
      <p className="field__err">
        <LampGlyph kind="crash" />
        <span>{t('otherPort', { port: String(own) })}</span>
      </p>
      {isReadOnly ? null : (
        <Button size="s" onClick={() => onChange(String(own))}>
          {t('takePort', { port: String(own) })}
        </Button>
      )}
    </div>
  )
}

/** One key: what it is called, what it does, which values it takes, and its control. */
export const PropertyField = (props: FieldProps) => {
  const { row, texts, isChanged, isReadOnly, isUnwritten, players, isOfMinecraft, onChange } = props
  const t = useTranslations('files.form')
  const factsOf = usePropertyFacts()
  const refusalText = useRefusalText(isOfMinecraft)
  const { server } = useFiles()
  const id = useId()
  const { entry, field, hidden } = row
  const kind = field?.kind
  const { name = entry.key, help, options } = texts[entry.key] ?? {}
  const isMessage = isOfMinecraft && entry.key === 'motd'
  const isRefused = kind !== undefined && refusedValue(kind, entry.value) !== undefined
  const facts = factsOf(kind)
  return (
    <div className={clsx('prop', kind?.is === 'switch' && 'prop-switch', isChanged && 'prop-changed')}>
      <div className="prop-text" id={`${id}-help`}>
        <label htmlFor={id}>{name}</label>
        {isChanged ? <span className="vh"> {t('unsaved')}</span> : null}
        {help === undefined ? null : <p className="small t2">{help}</p>}
        <p className="prop-key">
          <code>{entry.key}</code>
          {facts === '' ? null : <span> · {facts}</span>}
        </p>
        {hidden === 0 ? null : <p className="small t2">{t('hidden', { count: hidden })}</p>}
      </div>
      <div className="prop-value">
        <PropertyControl
          id={id}
          kind={kind}
          names={options}
          isMessage={isMessage}
          value={entry.value}
          isReadOnly={isReadOnly}
          isRefused={isRefused}
          describedBy={`${id}-help${isRefused ? ` ${id}-refusal` : ''}`}
          onChange={onChange}
        />
        {isRefused ? (
          <p className="field__err" id={`${id}-refusal`}>
            <LampGlyph kind="crash" />
            <span>{refusalText(kind)}</span>
          </p>
        ) : null}
        {isUnwritten ? (
          <p className="field__err" role="alert">
            <LampGlyph kind="crash" />
            <span>{t('unwritten')}</span>
          </p>
        ) : null}
        {kind?.is === 'allocation' ? <OwnAddress row={row} isReadOnly={isReadOnly} onChange={onChange} /> : null}
        {isMessage ? <MotdPreview message={entry.value} name={server.name} players={players} /> : null}
      </div>
    </div>
  )
}
