'use client'
import { useState } from 'react'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'

type PasswordFieldProps = Omit<FieldProps, 'type' | 'end' | 'code'> & { words: { show: string; hide: string } }

/** A password that can be revealed before it is sent; pasting works. */
export const PasswordField = ({ words, ...field }: PasswordFieldProps) => {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...field}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <button type="button" className="field__eye" onClick={() => setShown(!shown)}>
          {shown ? words.hide : words.show}
          <span className="vh"> ({field.label})</span>
        </button>
      }
    />
  )
}
