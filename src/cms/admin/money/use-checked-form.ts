'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, type DefaultValues, type FieldValues, type Path, type PathValue } from 'react-hook-form'
import type * as z from 'zod'
import { AT_FIELD, type ActOutcome } from './act-dialog.tsx'

type StaffForm<Values extends FieldValues, Body extends FieldValues> = {
  /** The contract's schema of the body. */
  readonly schema: z.core.$ZodType<Body, Values>
  readonly defaultValues: DefaultValues<Values>
  /** The sentence of each field that the schema can refuse. */
  readonly sentences: Readonly<Partial<Record<Path<Values>, string>>>
}

/** The fields of a form of staff; the first refused one gets the focus. */
const useStaffFields = <Values extends FieldValues, Body extends FieldValues>({
  schema,
  defaultValues,
  sentences,
}: StaffForm<Values, Body>) => {
  const form = useForm<Values, unknown, Body>({ resolver: zodResolver(schema), defaultValues })
  const { errors, isSubmitted } = form.formState
  const faultOf = (name: Path<Values>): string | undefined => {
    const error = errors[name]
    if (error === undefined) return undefined
    return error.type === 'api' ? String(error.message) : sentences[name]
  }
  const set = <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) =>
    form.setValue(name, value, { shouldValidate: isSubmitted })
  const values = form.watch()
  const refused = Object.keys(values).filter((name) => errors[name] !== undefined)
  return {
    form,
    values,
    set,
    faultOf,
    /** The props of the text field of this name; a refusal focuses it. */
    textOf: <Name extends Path<Values>>(name: Name) => ({
      value: String(form.watch(name) ?? ''),
      onChange: (text: string) => set(name, text as PathValue<Values, Name>),
      fault: faultOf(name),
      isAnnounced: name === refused[0],
      field: form.register(name).ref,
    }),
  }
}

/**
 * A form of staff: it is validated, and a dialog then asks about `checked`, the body of the request. The typed values stay until the
 * act is done.
 */
export const useCheckedForm = <Values extends FieldValues, Body extends FieldValues>(
  wanted: StaffForm<Values, Body>,
) => {
  const { form, ...fields } = useStaffFields(wanted)
  const [checked, setChecked] = useState<Body | null>(null)
  return {
    ...fields,
    checked,
    check: form.handleSubmit((body) => setChecked(() => body)),
    close: () => setChecked(null),
    reset: () => form.reset(),
  }
}

type ActForm<Values extends FieldValues, Body extends FieldValues> = StaffForm<Values, Body> & {
  readonly act: (body: Body) => Promise<ActOutcome>
}

/** The fields of a dialog that acts: a refusal by the schema or by the API stands at its field, any other in the dialog. */
export const useActForm = <Values extends FieldValues, Body extends FieldValues>({
  act,
  ...wanted
}: ActForm<Values, Body>) => {
  const { form, ...fields } = useStaffFields(wanted)
  const confirm = async (): Promise<ActOutcome> => {
    let outcome: ActOutcome = AT_FIELD
    await form.handleSubmit(async (body) => {
      outcome = await act(body)
    })()
    return outcome
  }
  const refuse = (outcome: ActOutcome): ActOutcome => {
    if (typeof outcome !== 'object' || outcome.isUnknown) return outcome
    const named = Object.entries(outcome.fields).filter(([name]) => name in form.getValues())
    named.forEach(([name, message], at) =>
      form.setError(name as Path<Values>, { type: 'api', message }, { shouldFocus: at === 0 }),
    )
    return named.length === 0 ? outcome : AT_FIELD
  }
  return { ...fields, confirm: async () => refuse(await confirm()) }
}
