'use client'
import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { refusedFields } from './refused-fields.ts'

type Proven<Values extends FieldValues, Answer> = {
  /** In the order in which they stand: the first one that is refused gets the focus. */
  fields: readonly Path<Values>[]
  /** Where the current password is asked for. */
  passwordField: Path<Values>
  send: (body: Values) => Promise<Answer>
}

/**
 * Sends a form that asks for the password once more. What is refused at a field is said there; anything else is the form's
 * failure. A code is asked for from the first refusal that misses one.
 */
export const useProvenSubmit = <Values extends FieldValues, Answer>(
  form: UseFormReturn<Values>,
  { fields, passwordField, send }: Proven<Values, Answer>,
) => {
  const [failure, setFailure] = useState<unknown>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    setAnswer(null)
    try {
      const answered = await send(body)
      setAnswer(() => answered)
      form.reset()
    } catch (error) {
      const refused = refusedFields(error, passwordField)
      if (refused['code'] !== undefined) setNeedsCode(true)
      const named = fields.filter((name) => refused[name] !== undefined)
      named.forEach((name, at) => form.setError(name, { message: refused[name] ?? '' }, { shouldFocus: at === 0 }))
      if (named.length === 0) setFailure(error)
    }
  })
  return { submit, failure, needsCode, answer }
}
