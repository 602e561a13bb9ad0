'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ProofRequest } from '#contracts/http/second-factor.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { ProofFields } from './proof-fields.tsx'

type Name = 'name' | 'password' | 'code'
type Errors = Partial<Record<Name, string>>
export type Given = { readonly proof: ProofRequest; readonly name: string }

const FIELD_OF: Readonly<Record<string, Name>> = { WRONG_PASSWORD: 'password', WRONG_CODE: 'code', CODE_NEEDED: 'code' }

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

const useProof = ({ nameLabel, onProof }: Props) => {
  const t = useTranslations('security')
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  const refuse = (form: HTMLFormElement, refused: Errors) => {
    setErrors(refused)
    const first = (['name', 'password', 'code'] as const).find((name) => refused[name] !== undefined)
    if (first) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: Name) => String(data.get(name) ?? '').trim()
    const [name, code, password] = [text('name'), text('code'), String(data.get('password') ?? '')]
    setFailure(null)
    setErrors({})
    if (nameLabel !== undefined && name === '') return refuse(form, { name: t('required') })
    if (password === '') return refuse(form, { password: t('required') })
    setBusy(true)
    try {
      await onProof({ name, proof: { password, ...(code === '' ? {} : { code }) } })
    } catch (error) {
      const field = error instanceof ApiFailure ? FIELD_OF[error.code] : undefined
      if (field && error instanceof ApiFailure) refuse(form, { [field]: error.message })
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { errors, failure, busy, submit }
}

/** Re-authenticates a signed-in person: the password, and a code if there is a second factor. */
export const ProofForm = (props: Props) => {
  const t = useTranslations('security')
  const failureText = useFailureText()
  const { errors, failure, busy, submit } = useProof(props)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate method="post" aria-busy={busy} className="stack-24">
      {failure === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(failure)}
        </Notice>
      )}
      {props.nameLabel === undefined ? null : (
        <Field name="name" label={props.nameLabel} maxLength={60} autoComplete="off" error={errors.name} />
      )}
      <ProofFields
        password={{ name: 'password', error: errors.password }}
        code={props.needsCode ? { name: 'code', error: errors.code } : null}
        codeHelp={t('codeHelp')}
      />
      <div className="btns">
        <Button type="submit" look={props.danger ? 'danger-solid' : 'primary'} busy={busy}>
          {props.submit}
        </Button>
        <Button onClick={props.onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
