'use client'
import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { refusedFields } from './refused-fields.ts'

type Proven<Values extends FieldValues, Answer> = {
  /** In visual order: the first refused one gets the focus. */
  fields: readonly Path<Values>[]
  /** The field of the current password. */
  passwordField: Path<Values>
  send: (body: Values) => Promise<Answer>
}

/**
 * Submits a form that requires the password again. Refusals of a field are shown there; any other is the form's
 * failure. A code is required after the first refusal for a missing one.
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
