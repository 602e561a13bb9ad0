'use client'
import { PasskeyName, ProofRequest } from '#contracts/http/second-factor.ts'
import type { ProofRequest as Proof } from '#contracts/http/second-factor.ts'
import { typedText } from '@/lib/forms/typed-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { Field } from '@/ui/controls/field.tsx'
import { refusedFields } from './refused-fields.ts'
import { ProofFrame } from './proof-frame.tsx'

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
  const { form, submit, failure, isBusy, errorOf } = useProof(props)
  return (
    <ProofFrame
      onSubmit={submit}
      failure={failure}
      isBusy={isBusy}
      submit={props.submit}
      danger={props.danger ?? false}
      onCancel={props.onCancel}
      password={{ error: errorOf('password'), ...form.register('password') }}
      code={props.needsCode ? { error: errorOf('code'), ...form.register('code', { setValueAs: typedText }) } : null}
    >
      {props.nameLabel === undefined ? null : (
        <Field
          label={props.nameLabel}
          maxLength={60}
          autoComplete="off"
          error={errorOf('name')}
          {...form.register('name')}
        />
      )}
    </ProofFrame>
  )
}
