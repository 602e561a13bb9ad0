'use client'
import { useTranslations } from 'next-intl'
import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { ProofFields } from './proof-fields.tsx'

type Props = Pick<ComponentProps<typeof ProofFields>, 'password' | 'code'> & {
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  /** The failure of the last attempt, or null; refusals shown at their fields are excluded. */
  failure: unknown
  isBusy: boolean
  submit: string
  danger: boolean
  onCancel: () => void
  /** The fields above the proof. */
  children: ReactNode
}

/** The frame of a form that ends with a proof of the person: the last failure, its own fields, password and code, buttons. */
export const ProofFrame = ({ onSubmit, failure, isBusy, submit, danger, onCancel, children, ...proof }: Props) => {
  const t = useTranslations('security')
  const failureText = useFailureText()
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate method="post" aria-busy={isBusy} className="stack-24">
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      {children}
      <ProofFields {...proof} codeHelp={t('codeHelp')} />
      <div className="btns">
        <Button type="submit" look={danger ? 'danger-solid' : 'primary'} busy={isBusy}>
          {submit}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
