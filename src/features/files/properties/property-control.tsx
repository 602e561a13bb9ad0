'use client'
import clsx from 'clsx'
import type { PropertyKind } from '#domain/config-files/server-properties.ts'

export type ControlProps = {
  readonly id: string
  readonly value: string
  readonly isReadOnly: boolean
  readonly isRefused: boolean
  /** The names of a choice's values in the reader's language. */
  readonly names: Readonly<Record<string, string>> | undefined
  /** The elements that explain it. */
  readonly describedBy: string
  readonly onChange: (value: string) => void
}

const Choices = ({ kind, ...control }: ControlProps & { kind: Extract<PropertyKind, { is: 'choice' }> }) => {
  const { id, value, names, isReadOnly, isRefused, describedBy, onChange } = control
  // A value that the list does not know stays what it is until another one is chosen.
  const options = kind.options.includes(value) ? kind.options : [value, ...kind.options]
  return (
    <select
      id={id}
      className="input"
      value={value}
      disabled={isReadOnly}
      aria-invalid={isRefused || undefined}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {names?.[option] === undefined ? option : `${names[option]} (${option})`}
        </option>
      ))}
    </select>
  )
}

/** A text of several lines, as far as the value has some. */
const Lines = ({ id, value, isReadOnly, describedBy, onChange }: ControlProps) => (
  <textarea
    id={id}
    className="input prop-lines"
    rows={2}
    value={value}
    readOnly={isReadOnly}
    aria-describedby={describedBy}
    spellCheck={false}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

/** The control of a key by its kind; a key of no known kind takes a line of text. */
export const PropertyControl = ({
  kind,
  isMessage,
  ...control
}: ControlProps & { kind: PropertyKind | undefined; isMessage: boolean }) => {
  const { id, value, isReadOnly, isRefused, describedBy, onChange } = control
  if (kind?.is === 'switch') {
    return (
      <span className="switch">
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={/^true$/i.test(value)}
          disabled={isReadOnly}
          aria-describedby={describedBy}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      </span>
    )
  }
  if (kind?.is === 'choice') return <Choices {...control} kind={kind} />
  if (isMessage) return <Lines {...control} />
  return (
    <input
      id={id}
      className={clsx('input', kind?.is === 'number' && 'prop-number')}
      type={kind?.is === 'secret' ? 'password' : 'text'}
      inputMode={kind?.is === 'number' ? 'numeric' : undefined}
      autoComplete={kind?.is === 'secret' ? 'new-password' : 'off'}
      value={value}
      readOnly={isReadOnly || kind?.is === 'allocation'}
      aria-invalid={isRefused || undefined}
      aria-describedby={describedBy}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
