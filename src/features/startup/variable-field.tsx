'use client'
import clsx from 'clsx'
import { EthernetPort, Hash, KeyRound, List, Lock, RotateCcw, ToggleRight, Type } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { StartupVariable } from '#contracts/http/panel/startup.ts'
import { linkedPort } from '#domain/startup/port-links.ts'
import type { VariableKind } from '#domain/startup/variable-kind.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import { defaultText, savedText, shownText } from './draft.ts'
import { SecretControl } from './secret-control.tsx'
import { useStartupPlace } from './startup-context.tsx'
import type { StartupForm } from './use-startup-draft.ts'
import { PortControl, VariableControl } from './variable-control.tsx'
import { useFacts, useFaultText, variableForm } from './variable-texts.ts'

type FieldProps = { readonly variable: StartupVariable; readonly form: StartupForm }

type IconName = VariableKind['is'] | 'locked' | 'port' | 'secret'
const ICONS: Readonly<Record<IconName, LucideIcon>> = {
  text: Type,
  number: Hash,
  choice: List,
  switch: ToggleRight,
  locked: Lock,
  port: EthernetPort,
  secret: KeyRound,
}

const iconOf = ({ port, secret, editable }: StartupVariable, kind: VariableKind): IconName => {
  if (!editable) return 'locked'
  if (port !== null) return 'port'
  return secret ? 'secret' : kind.is
}

/** The value that somebody else has saved meanwhile, and the two ways out. */
const Clash = ({ variable, form }: FieldProps) => {
  const t = useTranslations('startup.conflict')
  const { environmentVariable: name, secret, name: title } = variable
  const theirs = variable.port ? (variable.value ?? '') : savedText(variable)
  const text = theirs === '' ? t('theirsEmpty') : t('theirs', { value: theirs })
  return (
    <div className="su-clash">
      <p>{secret ? t('theirsSecret') : text}</p>
      <Button size="s" onClick={() => form.forget(name)}>
        {t('take')}
        <span className="vh"> {title}</span>
      </Button>
      <Button size="s" onClick={() => form.keep(name)}>
        {t('keep')}
        <span className="vh"> {title}</span>
      </Button>
    </div>
  )
}

const PortNote = ({ variable, form }: FieldProps) => {
  const t = useTranslations('startup.port')
  const link = shownText(form.draft, variable)
  if (link === 'primary') return <p className="small t2">{t('note')}</p>
  if (linkedPort(link, form.draft.base.ports) !== undefined) return null
  return <p className="small t2">{t('unlinkedNote', { port: variable.value ?? '' })}</p>
}

const Marks = ({ variable, form }: FieldProps) => {
  const t = useTranslations('startup')
  const { environmentVariable: name, isDefault, editable, secret, given } = variable
  const waits = form.draft.base.running?.variables.includes(name) ?? false
  return (
    <>
      {editable ? null : <Mark>{t(given === null ? 'locked' : 'given.mark')}</Mark>}
      {name in form.draft.typed ? <Mark>{t('unsaved')}</Mark> : null}
      {editable && !secret && !isDefault && !(name in form.draft.typed) ? <Mark>{t('changed')}</Mark> : null}
      {waits ? <Mark tone="wait">{t('waits')}</Mark> : null}
    </>
  )
}

type ResetProps = FieldProps & { kind: VariableKind; isOpen: boolean }

/** Puts the default into the control. Its place stays when there is nothing to reset, so that nothing moves. */
const Reset = ({ variable, form, kind, isOpen }: ResetProps) => {
  const t = useTranslations('startup')
  const preset = defaultText(variable)
  const isReset =
    preset === null
      ? form.draft.typed[variable.environmentVariable] === null || !variable.isSet
      : shownText(form.draft, variable) === preset
  const words = kind.is === 'switch' && preset !== null ? t(preset === kind.on ? 'isOn' : 'isOff') : preset
  const to = words === null || words === '' ? t('resetEmpty') : t('resetTo', { value: words })
  return (
    <span className="su-reset" title={isReset ? undefined : variable.secret ? undefined : to}>
      {isOpen && !isReset ? (
        <IconButton
          label={t('reset', { name: variable.name })}
          icon={<RotateCcw className="i" aria-hidden />}
          onClick={() => form.type(variable, preset)}
        />
      ) : null}
    </span>
  )
}

type InnerProps = FieldProps & { id: string; kind: VariableKind; isReadOnly: boolean; fault: string | undefined }

const Control = ({ variable, form, id, kind, isReadOnly, fault }: InnerProps) => {
  const { environmentVariable: name } = variable
  const control = {
    id,
    isReadOnly,
    isRefused: fault !== undefined,
    describedBy: `${id}-help${fault === undefined ? '' : ` ${id}-fault`}`,
    value: shownText(form.draft, variable),
    onChange: (value: string) => form.type(variable, value),
  }
  if (variable.secret) {
    const typed = form.draft.typed[name]
    return <SecretControl {...control} variable={variable} typed={typed} onKeep={() => form.forget(name)} />
  }
  if (variable.port) return <PortControl {...control} variable={variable} ports={form.draft.base.ports} />
  return <VariableControl {...control} kind={kind} />
}

/** One variable: what it is called, what it does, what it accepts, and its control. */
export const VariableField = ({ variable, form }: FieldProps) => {
  const t = useTranslations('startup')
  const factsOf = useFacts()
  const faultText = useFaultText()
  const { may } = useStartupPlace()
  const id = useId()
  const { kind } = variableForm(variable)
  const { environmentVariable: name } = variable
  const isReadOnly = !variable.editable || !may('startup.update')
  const found = form.faults[name]
  const fault = found ? faultText(found) : form.refused[name]
  const facts = factsOf(variable)
  const Sign = ICONS[iconOf(variable, kind)]
  return (
    <div
      className={clsx(
        'su-row',
        kind.is === 'switch' && 'su-row-switch',
        name in form.draft.typed && 'su-row-typed',
        isReadOnly && 'su-locked',
      )}
    >
      <Sign className="i su-sign" aria-hidden />
      <div className="su-text">
        <p className="su-name">
          <label htmlFor={id}>{variable.name}</label>
          <Marks variable={variable} form={form} />
        </p>
        <div id={`${id}-help`}>
          {variable.description === '' ? null : <p className="small t2">{variable.description}</p>}
          {variable.port ? <PortNote variable={variable} form={form} /> : null}
          {variable.given === null ? null : <p className="small t2">{t(`given.${variable.given}`)}</p>}
          <p className="su-key">
            <code>{name}</code>
            {facts === '' ? null : <span> · {facts}</span>}
          </p>
        </div>
      </div>
      <div className="su-value">
        <Control variable={variable} form={form} id={id} kind={kind} isReadOnly={isReadOnly} fault={fault} />
        {fault === undefined ? null : (
          <p className="field__err" id={`${id}-fault`}>
            <LampGlyph kind="crash" />
            <span>{fault}</span>
          </p>
        )}
        {form.draft.clashes.has(name) ? <Clash variable={variable} form={form} /> : null}
      </div>
      <Reset variable={variable} form={form} kind={kind} isOpen={!isReadOnly} />
    </div>
  )
}
