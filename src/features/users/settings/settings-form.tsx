'use client'
import type { FormEvent, ReactNode } from 'react'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import type { ButtonLook } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

type SettingsFormProps = {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  isBusy: boolean
  /** The failure of the last attempt, or null; refusals shown at their fields are excluded. */
  failure: unknown
  /** The sentence before the reason: which action failed. */
  failed?: string | undefined
  /** The result and its consequences: a notice above the fields. */
  done?: ReactNode
  /** The result, in a word beside the button. */
  saved?: ReactNode
  /** Above the fields, before the explanation. */
  head?: ReactNode
  text?: ReactNode
  submit: string
  look?: ButtonLook
  children: ReactNode
}

/**
 * The frame shared by the settings forms: result of the last attempt, explanation, fields and button. A failure leaves
 * the input in the fields.
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
