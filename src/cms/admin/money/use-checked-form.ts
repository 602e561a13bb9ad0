'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, type DefaultValues, type FieldValues, type Path, type PathValue } from 'react-hook-form'
import type * as z from 'zod'

type CheckedForm<Values extends FieldValues, Body extends FieldValues> = {
  /** The contract's schema of the body. */
  readonly schema: z.core.$ZodType<Body, Values>
  readonly defaultValues: DefaultValues<Values>
  /** The sentence of each field that the schema can refuse. */
  readonly sentences: Readonly<Partial<Record<Path<Values>, string>>>
}

/**
 * A form of staff: it is validated, and a dialog then asks about `checked`, the body of the request. The typed values stay until the
 * act is done, and the first refused field gets the focus.
 */
export const useCheckedForm = <Values extends FieldValues, Body extends FieldValues>({
  schema,
  defaultValues,
  sentences,
}: CheckedForm<Values, Body>) => {
  const form = useForm<Values, unknown, Body>({ resolver: zodResolver(schema), defaultValues })
  const [checked, setChecked] = useState<Body | null>(null)
  const { errors, isSubmitted } = form.formState
  const values = form.watch()
  const set = <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) =>
    form.setValue(name, value, { shouldValidate: isSubmitted })
  return {
    values,
    set,
    checked,
    check: form.handleSubmit((body) => setChecked(() => body)),
    close: () => setChecked(null),
    reset: () => form.reset(),
    faultOf: (name: Path<Values>): string | undefined => (errors[name] === undefined ? undefined : sentences[name]),
    /** For the text field of this name, so that a refusal can focus it. */
    refOf: (name: Path<Values>) => form.register(name).ref,
  }
}
