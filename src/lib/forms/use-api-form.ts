'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { BaseSyntheticEvent } from 'react'
import { useForm } from 'react-hook-form'
import type { DefaultValues, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import { fieldFault } from '#contracts/http/field-fault.ts'
import { ApiFailure } from '../browser-client/failure.ts'

/** Form field -> the sentence that is shown at it. */
export type RefusedFields = Readonly<Record<string, string>>

type ApiForm<Values extends FieldValues, Body extends FieldValues, Answer> = {
  /** The contract's schema of the body, or its small copy for the sign-in pages. */
  schema: z.core.$ZodType<Body, Values>
  defaultValues: DefaultValues<Values>
  /** In page order: the first refused field gets the focus. */
  fields: readonly Path<Values>[]
  send: (body: Body) => Promise<Answer>
  /** Maps a failure to form fields, where the API names them differently. */
  refusedIn?: (failure: unknown) => RefusedFields
  onDone?: (answer: Answer, form: UseFormReturn<Values, unknown, Body>) => void
}

const namedIn = (failure: unknown): RefusedFields => (failure instanceof ApiFailure ? failure.fields : {})

/**
 * A form that sends its values to the API. A refused field shows its sentence, whether the schema or the API refused it; `failure` is
 * any other reason, or null. The typed values stay after a failure, and a submit during another is ignored.
 */
export const useApiForm = <Values extends FieldValues, Body extends FieldValues, Answer>({
  schema,
  defaultValues,
  fields,
  send,
  refusedIn = namedIn,
  onDone,
}: ApiForm<Values, Body, Answer>) => {
  const t = useTranslations('errors.fields')
  const form = useForm<Values, unknown, Body>({
    resolver: zodResolver(schema, { error: (issue) => t(fieldFault(issue as z.core.$ZodRawIssue)), reportInput: true }),
    defaultValues,
  })
  const [failure, setFailure] = useState<unknown>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const isSending = useRef(false)

  const refuse = (reason: unknown) => {
    const refused = refusedIn(reason)
    const named = fields.filter((name) => refused[name] !== undefined)
    named.forEach((name, at) => form.setError(name, { message: refused[name] ?? '' }, { shouldFocus: at === 0 }))
    if (named.length === 0) setFailure(reason)
  }
  const carryOut = async (body: Body) => {
    setFailure(null)
    setAnswer(null)
    let answered: Awaited<ReturnType<typeof send>>
    try {
      answered = await send(body)
    } catch (error) {
      return refuse(error)
    }
    setAnswer(() => answered)
    onDone?.(answered, form)
  }
  const submit = async (event?: BaseSyntheticEvent): Promise<void> => {
    event?.preventDefault()
    if (isSending.current) return
    isSending.current = true
    try {
      await form.handleSubmit(carryOut)(event)
    } finally {
      isSending.current = false
    }
  }
  const { errors, isSubmitting } = form.formState
  /** The sentence at a field; for forms without nested fields. */
  const errorOf = (name: Path<Values>): string | undefined => {
    const message = errors[name]?.message
    return typeof message === 'string' ? message : undefined
  }
  return { form, submit, failure, answer, isBusy: isSubmitting, errorOf }
}
