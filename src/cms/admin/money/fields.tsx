'use client'

import { useId, type ReactNode, type RefCallback } from 'react'
import * as z from 'zod'
import { TypedFt } from '#contracts/http/staff-money.ts'
import { MAX_MANUAL_FT } from '#domain/payments/manual-credit.ts'
import { STAFF_REASON } from '#domain/billing/staff-reason.ts'
import type { Words } from '../../fields/languages.ts'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'

type Shell = {
  readonly label: Words
  readonly hint?: Words | undefined
  readonly fault?: string | undefined
  /** Whether the fault is an alert: the first one of a form, which has the focus. */
  readonly isAnnounced?: boolean
}

const Field = ({
  label,
  hint,
  fault,
  isAnnounced = false,
  id,
  children,
}: Shell & { id: string; children: ReactNode }) => {
  const { say } = useAdminLanguage()
  return (
    <div className="bakter-field">
      <label htmlFor={id}>{say(label)}</label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="bakter-quiet">
          {say(hint)}
        </p>
      ) : null}
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="bakter-fault" {...(isAnnounced ? { role: 'alert' } : {})}>
          {fault}
        </p>
      )}
    </div>
  )
}

const saidBy = (id: string, { hint, fault }: Shell): string | undefined =>
  [hint ? `${id}-hint` : '', fault === undefined ? '' : `${id}-fault`].filter(Boolean).join(' ') || undefined

type TextProps = Shell & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'date' | 'search' | 'textarea'
  /** Phones offer only digits. */
  readonly isNumber?: boolean
  readonly field?: RefCallback<HTMLElement>
}

export const TextField = (props: TextProps) => {
  const { value, onChange, type = 'text', isNumber, field } = props
  const id = useId()
  const said = { 'aria-describedby': saidBy(id, props), 'aria-invalid': props.fault !== undefined }
  const change = ({ target }: { target: { value: string } }) => onChange(target.value)
  return (
    <Field {...props} id={id}>
      {type === 'textarea' ? (
        <textarea
          ref={field}
          id={id}
          rows={3}
          maxLength={STAFF_REASON.most}
          value={value}
          onChange={change}
          {...said}
        />
      ) : (
        <input
          ref={field}
          id={id}
          type={type}
          value={value}
          onChange={change}
          autoComplete="off"
          inputMode={isNumber ? 'numeric' : undefined}
          {...said}
        />
      )}
    </Field>
  )
}

type ChoiceProps = Shell & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: Readonly<Record<string, Words>>
  /** Whether an empty choice is offered, which means all. */
  readonly withAll?: boolean
}

export const ChoiceField = (props: ChoiceProps) => {
  const { value, onChange, options, withAll = false } = props
  const { say } = useAdminLanguage()
  const id = useId()
  return (
    <Field {...props} id={id}>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {withAll ? <option value="">{say(common.all)}</option> : null}
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {say(text)}
          </option>
        ))}
      </select>
    </Field>
  )
}

export const CheckField = ({
  label,
  value,
  onChange,
}: {
  label: Words
  value: boolean
  onChange: (value: boolean) => void
}) => {
  const { say } = useAdminLanguage()
  return (
    <label className="bakter-check">
      <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
      {say(label)}
    </label>
  )
}

/**
 * Typed whole forints, with or without spaces between thousands; null for anything else, and above the limit for staff.
 */
export const typedForints = (text: string): number | null => {
  const digits = text.replaceAll(/[\s\u00A0]/g, '')
  if (!/^[1-9]\d*$/.test(digits)) return null
  const amountFt = Number(digits)
  return amountFt > MAX_MANUAL_FT ? null : amountFt
}

/** The schema of an amount as it is typed: whole forints up to `mostFt`. */
export const typedAmount = (mostFt = MAX_MANUAL_FT) => z.string().transform(typedForints).pipe(TypedFt.max(mostFt))

/** The same, where an empty field leaves the amount to the rules. */
export const optionalAmount = (mostFt: number) =>
  z
    .string()
    .transform((text) => (text.trim() === '' ? undefined : typedForints(text)))
    .pipe(TypedFt.max(mostFt).optional())
