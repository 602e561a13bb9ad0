'use client'
import clsx from 'clsx'
import { useId } from 'react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { LampGlyph } from '../signs/lamp.tsx'

type Outline = {
  label: string
  help?: ReactNode
  /** The error in the reader's language; it marks the input and is announced with it. */
  error?: string | undefined
  /** An element at the end of the input: a unit or a button. */
  end?: ReactNode
}
type Described = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

const describe = (id: string, { help, error }: Outline): Described => ({
  id,
  ...(error ? { 'aria-invalid': true as const } : {}),
  ...(error || help ? { 'aria-describedby': `${id}-note` } : {}),
})

/** The error under the input replaces the help text and has the red square of a refusal. */
const Note = ({ id, help, error }: { id: string; help?: ReactNode; error?: string | undefined }) => {
  if (error) {
    return (
      <p className="field__err" id={`${id}-note`}>
        <LampGlyph kind="crash" />
        <span>{error}</span>
      </p>
    )
  }
  return help ? (
    <div className="field__help" id={`${id}-note`}>
      {help}
    </div>
  ) : null
}

const Frame = ({ id, outline, children }: { id: string; outline: Outline; children: ReactNode }) => (
  <div className="field">
    <div className="field__box">
      {children}
      <label className="field__label" htmlFor={id}>
        {outline.label}
      </label>
      {outline.end ? <div className="field__end">{outline.end}</div> : null}
    </div>
    <Note id={id} help={outline.help} error={outline.error} />
  </div>
)

export type FieldProps = Omit<ComponentPropsWithRef<'input'>, 'placeholder'> & Outline & { code?: boolean }

/** One line of input whose label floats while it is focused or filled. `code` is the large form of six-digit codes. */
export const Field = ({ label, help, error, end, code = false, id, className, ...input }: FieldProps) => {
  const own = useId()
  const outline = { label, help, error, end }
  return (
    <Frame id={id ?? own} outline={outline}>
      <input
        {...input}
        {...describe(id ?? own, outline)}
        placeholder=" "
        className={clsx('field__in', code && 'field__in--code', className)}
      />
    </Frame>
  )
}

export type TextAreaProps = ComponentPropsWithRef<'textarea'> & Omit<Outline, 'end'>

/** Several lines of input; the label floats as that of a field does. */
export const TextArea = ({ label, help, error, id, className, ...input }: TextAreaProps) => {
  const own = useId()
  const outline = { label, help, error }
  return (
    <Frame id={id ?? own} outline={outline}>
      <textarea {...input} {...describe(id ?? own, outline)} placeholder=" " className={clsx('field__in', className)} />
    </Frame>
  )
}

export type SelectProps = ComponentPropsWithRef<'select'> & Omit<Outline, 'end'>

/** A native select: phones open the system's own list. */
export const Select = ({ label, help, error, id, className, children, ...select }: SelectProps) => {
  const own = useId()
  const outline = { label, help, error }
  return (
    <Frame id={id ?? own} outline={outline}>
      <select {...select} {...describe(id ?? own, outline)} className={clsx('field__in', className)}>
        {children}
      </select>
    </Frame>
  )
}
