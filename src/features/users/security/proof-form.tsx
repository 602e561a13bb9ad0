'use client'
import { useTranslations } from 'next-intl'
import { PasskeyName, ProofRequest } from '#contracts/http/second-factor.ts'
import type { ProofRequest as Proof } from '#contracts/http/second-factor.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { typedText } from '@/lib/forms/typed-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { refusedFields } from './refused-fields.ts'
import { ProofFields } from './proof-fields.tsx'

export type Given = { readonly proof: Proof; readonly name: string }

type Props = {
  /** The account has a second factor, so a code may be required too. */
  needsCode: boolean
  /** Also asks for a name. */
  nameLabel?: string
  submit: string
  danger?: boolean
  onProof: (given: Given) => Promise<unknown>
  onCancel: () => void
}

const FIELDS = ['name', 'password', 'code'] as const
const unnamed = ProofRequest.extend({ name: PasskeyName.optional() })
const named = ProofRequest.extend({ name: PasskeyName })

const useProof = ({ nameLabel, onProof }: Props) =>
  useApiForm({
    schema: nameLabel === undefined ? unnamed : named,
    defaultValues: nameLabel === undefined ? { password: '' } : { password: '', name: '' },
    fields: FIELDS,
    send: ({ name = '', ...proof }) => onProof({ name, proof }),
    refusedIn: (failure) => refusedFields(failure, 'password'),
  })

/** Re-authenticates a signed-in person: the password, and a code if there is a second factor. */
export const ProofForm = (props: Props) => {
  const t = useTranslations('security')
  const failureText = useFailureText()
  const { form, submit, failure, isBusy, errorOf } = useProof(props)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate method="post" aria-busy={isBusy} className="stack-24">
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      {props.nameLabel === undefined ? null : (
        <Field
          label={props.nameLabel}
          maxLength={60}
          autoComplete="off"
          error={errorOf('name')}
          {...form.register('name')}
        />
      )}
      <ProofFields
        password={{ error: errorOf('password'), ...form.register('password') }}
        code={props.needsCode ? { error: errorOf('code'), ...form.register('code', { setValueAs: typedText }) } : null}
        codeHelp={t('codeHelp')}
      />
      <div className="btns">
        <Button type="submit" look={props.danger ? 'danger-solid' : 'primary'} busy={isBusy}>
          {props.submit}
        </Button>
        <Button onClick={props.onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
