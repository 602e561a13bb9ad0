'use client'
import { useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { refusedFields } from '../security/refused-fields.ts'

type Proven<Values extends FieldValues, Body extends FieldValues, Answer> = {
  schema: z.core.$ZodType<Body, Values>
  defaultValues: DefaultValues<Values>
  /** In page order: the first refused field gets the focus. */
  fields: readonly Path<Values>[]
  /** The field of the current password. */
  passwordField: Path<Values>
  send: (body: Body) => Promise<Answer>
}

/** A form that asks for the current password, and for a code once a refusal demands one. A success empties it. */
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
