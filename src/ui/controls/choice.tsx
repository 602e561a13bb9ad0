'use client'
import { useId } from 'react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { LampGlyph } from '../signs/lamp.tsx'

type ChoiceProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'children'> & { children: ReactNode }

/** A consent or an option; an error is shown below and announced with it. */
export const Checkbox = ({ children, error, id, ...input }: ChoiceProps & { error?: string | undefined }) => {
  const own = useId()
  const key = id ?? own
  return (
    <div>
      <label className="check">
        <input
          {...input}
          id={key}
          type="checkbox"
          {...(error ? { 'aria-invalid': true, 'aria-describedby': `${key}-note` } : {})}
        />
        <span>{children}</span>
      </label>
      {error ? (
        <p className="field__err" id={`${key}-note`}>
          <LampGlyph kind="crash" />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  )
}

export const Radio = ({ children, ...input }: ChoiceProps) => (
  <label className="radio">
    <input {...input} type="radio" />
    <span>{children}</span>
  </label>
)

export const Switch = ({ children, ...input }: ChoiceProps) => (
  <label className="switch">
    <input {...input} type="checkbox" role="switch" />
    <span>{children}</span>
  </label>
)
