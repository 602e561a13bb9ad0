'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import type { ChangeEvent } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/ui/button.tsx'
import { Field } from '@/ui/field.tsx'
import { Notice } from '@/ui/notice.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { CodeForm } from '../schemas.ts'
import type { LoginForm } from '../schemas.ts'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'

type Props = { credentials: LoginForm; name: string; onDone: () => void; onBack: () => void }

/** The second factor: one input, pasting works, and six digits send themselves. */
export const CodeStep = ({ credentials, name, onDone, onBack }: Props) => {
  const { locale, words, fieldError, refusalText } = useAuthWords()
  const { register, handleSubmit, formState, setError, setFocus, setValue } = useForm<CodeForm>({
    resolver: zodResolver(CodeForm),
    defaultValues: { code: '' },
  })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [done, setDone] = useState(false)
  useEffect(() => setFocus('code'), [setFocus])

  const submit = handleSubmit(async ({ code }) => {
    setRefusal(null)
    const answer = await postAuth('login', { ...credentials, code }, locale)
    if (answer.ok) {
      setDone(true)
      return onDone()
    }
    if (answer.code !== 'INVALID_CODE' && answer.code !== 'OTP_REQUIRED') return setRefusal(answer)
    setValue('code', '')
    setError('code', { message: refusalText({ ...answer, code: 'INVALID_CODE' }) }, { shouldFocus: true })
  })
  const input = register('code', {
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const digits = event.target.value.replaceAll(/\D/g, '').slice(0, 6)
      if (digits !== event.target.value) setValue('code', digits)
      if (digits.length === 6) void submit()
    },
  })
  const busy = formState.isSubmitting || done
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={busy}>
      <ol className="stepline">
        <Step
          state="done"
          title={name}
          end={
            <button type="button" className="link" onClick={onBack}>
              {words('notMe')}
            </button>
          }
        />
        <Step state="on" title={words('codeTitle')}>
          {refusal ? (
            <Notice tone="stop" role="alert">
              {refusalText(refusal)}
            </Notice>
          ) : null}
          <p className="t2">{words('codeText')}</p>
          <Field
            code
            label={words('code')}
            help={words('codeHelp')}
            inputMode="numeric"
            autoComplete="one-time-code"
            error={fieldError(formState.errors.code?.message)}
            {...input}
          />
          <Button type="submit" look="primary" size="l" wide busy={busy}>
            {words('loginSubmit')}
          </Button>
        </Step>
        <Step state="ahead" title={words('dashboard')} />
      </ol>
    </form>
  )
}
