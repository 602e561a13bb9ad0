'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import type { StartupVariable } from '#contracts/http/panel/startup.ts'
import { linkedPort } from '#domain/startup/port-links.ts'
import type { LinkablePort } from '#domain/startup/port-links.ts'
import type { VariableKind } from '#domain/startup/variable-kind.ts'

export type ControlProps = {
  readonly id: string
  readonly value: string
  readonly isReadOnly: boolean
  readonly isRefused: boolean
  /** The elements that explain it. */
  readonly describedBy: string
  readonly onChange: (value: string) => void
}

const asked = ({ id, isRefused, describedBy }: ControlProps) => ({
  id,
  'aria-invalid': isRefused || undefined,
  'aria-describedby': describedBy,
})

const Choice = ({ options, ...control }: ControlProps & { options: readonly string[] }) => {
  const t = useTranslations('startup')
  const { value, isReadOnly, onChange } = control
  // A value that the list does not know stays what it is until another one is chosen.
  const all = options.includes(value) ? options : [value, ...options]
  return (
    <select
      {...asked(control)}
      className="input"
      value={value}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {all.map((option) => (
        <option key={option} value={option}>
          {option === '' ? t('none') : option}
        </option>
      ))}
    </select>
  )
}

type PortProps = ControlProps & { variable: StartupVariable; ports: readonly LinkablePort[] }

/** The ports of the server, the primary one as what it is: the variable follows it. */
export const PortControl = ({ variable, ports, ...control }: PortProps) => {
  const t = useTranslations('startup.port')
  const { value, isReadOnly, onChange } = control
  const primary = linkedPort('primary', ports)
  return (
    <select
      {...asked(control)}
      className="input"
      value={value}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {linkedPort(value, ports) === undefined ? (
        <option value={value}>{t('unlinked', { port: variable.value ?? '' })}</option>
      ) : null}
      {primary === undefined ? null : <option value="primary">{t('primary', { port: String(primary) })}</option>}
      {ports.map(({ port }) => (
        <option key={port} value={String(port)}>
          {t('other', { port: String(port) })}
        </option>
      ))}
    </select>
  )
}

const Toggle = ({ kind, ...control }: ControlProps & { kind: Extract<VariableKind, { is: 'switch' }> }) => {
  const t = useTranslations('startup')
  const { value, isReadOnly, onChange } = control
  const isOn = value.toLowerCase() === kind.on.toLowerCase()
  return (
    <span className="switch">
      <input
        {...asked(control)}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={isReadOnly}
        onChange={(event) => onChange(event.currentTarget.checked ? kind.on : kind.off)}
      />
      <span aria-hidden>{t(isOn ? 'isOn' : 'isOff')}</span>
    </span>
  )
}

/** The control of a variable by its rules. */
export const VariableControl = ({ kind, ...control }: ControlProps & { kind: VariableKind }) => {
  const { value, isReadOnly, onChange } = control
  if (kind.is === 'switch') return <Toggle {...control} kind={kind} />
  if (kind.is === 'choice') return <Choice {...control} options={kind.options} />
  return (
    <input
      {...asked(control)}
      className={clsx('input', kind.is === 'number' && 'su-number')}
      type="text"
      inputMode={kind.is === 'number' ? 'numeric' : undefined}
      autoComplete="off"
      autoCapitalize="none"
      value={value}
      readOnly={isReadOnly}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
