'use client'
import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { refusedFields } from '../security/refused-fields.ts'

type Proven<Values extends FieldValues, Body extends FieldValues, Answer> = {
  schema: z.core.$ZodType<Body, Values>
  defaultValues: DefaultValues<Values>
  /** In the order in which they stand: the first one that is refused gets the focus. */
  fields: readonly Path<Values>[]
  /** Where the current password is asked for. */
  passwordField: Path<Values>
  send: (body: Body) => Promise<Answer>
}

/** A form that asks for the password once more, and for a code from the first refusal that misses one. It is empty after a success. */
export const useProvenForm = <Values extends FieldValues, Body extends FieldValues, Answer>({
  passwordField,
  ...proven
}: Proven<Values, Body, Answer>) => {
  const [needsCode, setNeedsCode] = useState(false)
  const made = useApiForm({
    ...proven,
    refusedIn: (failure) => {
      const refused = refusedFields(failure, passwordField)
      if (refused['code'] !== undefined) setNeedsCode(true)
      return refused
    },
    onDone: (_answer, form) => form.reset(),
  })
  return { ...made, needsCode }
}
