'use client'
import type { FormEvent, ReactNode } from 'react'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import type { ButtonLook } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

type SettingsFormProps = {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  isBusy: boolean
  /** What the last attempt failed with, or null; refusals that stand at their fields are not among it. */
  failure: unknown
  /** What did not happen, before the reason. */
  failed?: string | undefined
  /** What was done, with what follows from it: a notice above the fields. */
  done?: ReactNode
  /** What was done, in a word beside the button. */
  saved?: ReactNode
  /** Above the fields, before what was said. */
  head?: ReactNode
  text?: ReactNode
  submit: string
  look?: ButtonLook
  children: ReactNode
}

/**
 * The frame that the forms of the settings share: what became of the last attempt, what the form is for, its fields and its
 * button. A failure leaves in the fields what was typed.
 */
export const SettingsForm = (props: SettingsFormProps) => {
  const { onSubmit, isBusy, failure, failed, done, saved, head, text, submit, look = 'primary', children } = props
  const failureText = useFailureText()
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate method="post" aria-busy={isBusy} className="stack-24">
      {head}
      {done ? (
        <Notice tone="go" role="status">
          {done}
        </Notice>
      ) : null}
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failed} {failureText(failure)}
        </Notice>
      )}
      {text ? <p className="t2">{text}</p> : null}
      {children}
      <div className="settings-end">
        <Button type="submit" look={look} busy={isBusy}>
          {submit}
        </Button>
        <span role="status">{saved}</span>
      </div>
    </form>
  )
}
