'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { EmailForm } from '../schemas.ts'
import { SignInLink } from './sign-in-link.tsx'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'

/** The address for the link. The response is the same for every address, so that nobody learns who has an account. */
export const ResetAsk = () => {
  const { locale, words, fieldError, refusalText } = useAuthWords()
  const { register, handleSubmit, formState } = useForm<EmailForm>({
    resolver: zodResolver(EmailForm),
    defaultValues: { email: '' },
  })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [sent, setSent] = useState(false)
  const submit = handleSubmit(async ({ email }) => {
    setRefusal(null)
    setSent(false)
    const answer = await postAuth('passwordreset', { email }, locale)
    if (answer.ok) setSent(true)
    else setRefusal(answer)
  })
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={formState.isSubmitting}>
      <ol className="stepline">
        <Step state="on" title={words('resetAsk')}>
          {refusal ? (
            <Notice tone="stop" role="alert">
              {refusalText(refusal)}
            </Notice>
          ) : null}
          {sent ? (
            <Notice tone="go" role="status">
              {words('resetSent')}
            </Notice>
          ) : null}
          <Field
            type="email"
            label={words('email')}
            help={words('resetHelp')}
            autoComplete="email"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            error={fieldError(formState.errors.email?.message)}
            {...register('email')}
          />
          <Button type="submit" look="primary" size="l" wide busy={formState.isSubmitting}>
            {words('resetAskSubmit')}
          </Button>
        </Step>
        <Step state="ahead" title={words('resetSet')} />
      </ol>
      <SignInLink />
    </form>
  )
}
