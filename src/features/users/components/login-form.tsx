'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { usePageReturn } from '@/ui/screen/use-page-return.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PasswordField } from '@/ui/controls/password-field.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { keepDraft, takeDraft } from '../form-draft.ts'
import { LoginForm as LoginSchema } from '../schemas.ts'
import { CodeStep } from './code-step.tsx'
import type { Begun } from './code-step.tsx'
import { targetAfterLogin } from './leave-auth.ts'
import { LeavingStep } from './leaving-step.tsx'
import { PasskeyButton } from './passkey-button.tsx'
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

const begunBy = ({ params }: Refusal): Begun => ({
  challenge: String(params?.['challenge'] ?? ''),
  kinds: String(params?.['factors'] ?? '').split(' '),
})

const Notes = ({ made, refusal }: { made: boolean; refusal: Refusal | null }) => {
  const { words, refusalText } = useAuthWords()
  return (
    <>
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
    </>
  )
}

type Fields = { register: UseFormRegister<LoginSchema>; errors: FieldErrors<LoginSchema> }
const Credentials = ({ register, errors }: Fields) => {
  const { words, fieldError } = useAuthWords()
  return (
    <>
      <Field
        label={words('usernameOrEmail')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        error={fieldError(errors.username?.message)}
        {...register('username')}
      />
      <PasswordField
        label={words('password')}
        words={{ show: words('show'), hide: words('hide') }}
        autoComplete="current-password"
        error={fieldError(errors.password?.message)}
        {...register('password')}
      />
    </>
  )
}

/** User name and password, then the code if the account requires one. Input stays in place after a refusal. */
export const LoginForm = () => {
  const { locale, words, refusalText } = useAuthWords()
  const { register, handleSubmit, formState, setError, getValues, resetField, setFocus, made } = useLoginForm()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [leaving, setLeaving] = useState(false)
  const [departed, setDeparted] = useState<Refusal | null>(null)
  usePageReturn(() => setLeaving(false))

  const leave = () => {
    setLeaving(true)
    window.location.assign(targetAfterLogin())
  }
  const submit = handleSubmit(async (values) => {
    setRefusal(null)
    const answer = await postAuth('login', values, locale)
    if (answer.ok) return leave()
    if (answer.code === 'OTP_REQUIRED') return setBegun(begunBy(answer))
    if (answer.code === 'ACCOUNT_LEAVING') return setDeparted(answer)
    setRefusal(answer)
    if (answer.code === 'INVALID_CREDENTIALS') {
      setError('password', { message: refusalText(answer) }, { shouldFocus: true })
    }
  })
  const startAgain = (why: Refusal | null = null) => {
    setBegun(null)
    setDeparted(why?.code === 'ACCOUNT_LEAVING' ? why : null)
    setRefusal(why)
    resetField('password')
    setTimeout(() => setFocus('username'))
  }
  if (departed !== null) {
    const { challenge, eraseAt } = departed.params ?? {}
    return <LeavingStep by={{ challenge: String(challenge) }} eraseAt={String(eraseAt)} onBack={() => startAgain()} />
  }
  const busy = formState.isSubmitting || leaving
  if (begun !== null) {
    const name = getValues('username')
    return (
      <CodeStep begun={begun} name={name} onDone={leave} onBack={() => startAgain()} onExpired={startAgain}>
        {begun.kinds.includes('passkey') ? (
          <PasskeyButton challenge={begun.challenge} onDone={leave} onExpired={startAgain} onLeaving={startAgain} />
        ) : null}
      </CodeStep>
    )
  }
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={busy}>
      <ol className="stepline">
        <Step state="on" title={words('account')}>
          <Notes made={made} refusal={refusal} />
          <Credentials register={register} errors={formState.errors} />
          <p>
            <a className="link" href="/auth/passwordreset">
              {words('forgot')}
            </a>
          </p>
          <Button type="submit" look="primary" size="l" wide busy={busy}>
            {words('loginSubmit')}
          </Button>
          <PasskeyButton challenge={null} onDone={leave} onLeaving={setDeparted} />
        </Step>
        <Step state="ahead" title={words('codeTitle')} end={<span>{words('codeIfOn')}</span>} />
        <Step state="ahead" title={words('dashboard')} />
      </ol>
    </form>
  )
}
