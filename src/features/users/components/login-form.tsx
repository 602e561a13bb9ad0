'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { usePageReturn } from '@/ui/use-page-return.ts'
import { Button } from '@/ui/button.tsx'
import { Field } from '@/ui/field.tsx'
import { Notice } from '@/ui/notice.tsx'
import { PasswordField } from '@/ui/password-field.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { keepDraft, takeDraft } from '../form-draft.ts'
import { LoginForm as LoginSchema } from '../schemas.ts'
import { CodeStep } from './code-step.tsx'
import { targetAfterLogin } from './leave-auth.ts'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'

const useLoginForm = () => {
  const form = useForm<LoginSchema>({
    resolver: zodResolver(LoginSchema),
    defaultValues: { username: '', password: '' },
  })
  const { getValues, setValue } = form
  const [made, setMade] = useState(false)
  useEffect(() => {
    const { username, made } = takeDraft('login')
    if (made === true) setMade(true)
    if (typeof username === 'string') setValue('username', username)
    const keep = () => keepDraft('login', { username: getValues('username') })
    document.addEventListener('languagechoice', keep)
    return () => document.removeEventListener('languagechoice', keep)
  }, [getValues, setValue])
  return { ...form, made }
}

/** User name and password, then the code where the account asks for one. What was typed stays in place after a refusal. */
export const LoginForm = () => {
  const { locale, words, fieldError, refusalText } = useAuthWords()
  const { register, handleSubmit, formState, setError, getValues, resetField, setFocus, made } = useLoginForm()
  const [proved, setProved] = useState<LoginSchema | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [leaving, setLeaving] = useState(false)
  usePageReturn(() => setLeaving(false))

  const leave = () => {
    setLeaving(true)
    window.location.assign(targetAfterLogin())
  }
  const submit = handleSubmit(async (values) => {
    setRefusal(null)
    const answer = await postAuth('login', values, locale)
    if (answer.ok) return leave()
    if (answer.code === 'OTP_REQUIRED') return setProved(values)
    setRefusal(answer)
    if (answer.code === 'INVALID_CREDENTIALS') {
      setError('password', { message: refusalText(answer) }, { shouldFocus: true })
    }
  })
  const startAgain = () => {
    setProved(null)
    resetField('password')
    setTimeout(() => setFocus('username'))
  }
  const busy = formState.isSubmitting || leaving
  if (proved !== null) {
    return <CodeStep credentials={proved} onDone={leave} onBack={startAgain} name={getValues('username')} />
  }
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={busy}>
      <ol className="stepline">
        <Step state="on" title={words('account')}>
          {made ? (
            <Notice tone="go" role="status">
              {words('registered')}
            </Notice>
          ) : null}
          {refusal && refusal.code !== 'INVALID_CREDENTIALS' ? (
            <Notice tone="stop" role="alert">
              {refusalText(refusal)}
            </Notice>
          ) : null}
          <Field
            label={words('usernameOrEmail')}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            error={fieldError(formState.errors.username?.message)}
            {...register('username')}
          />
          <PasswordField
            label={words('password')}
            words={{ show: words('show'), hide: words('hide') }}
            autoComplete="current-password"
            error={fieldError(formState.errors.password?.message)}
            {...register('password')}
          />
          <Button type="submit" look="primary" size="l" wide busy={busy}>
            {words('loginSubmit')}
          </Button>
        </Step>
        <Step state="ahead" title={words('codeTitle')} end={<span>{words('codeIfOn')}</span>} />
        <Step state="ahead" title={words('dashboard')} />
      </ol>
    </form>
  )
}
