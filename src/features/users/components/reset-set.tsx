'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button, ButtonLink } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PasswordField } from '@/ui/controls/password-field.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { NewPasswordForm } from '../schemas.ts'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'

const Done = () => {
  const { words } = useAuthWords()
  return (
    <div className="stack-24 mt-6" role="status">
      <Lamp kind="done">{words('resetDone')}</Lamp>
      <p className="t2">{words('allLoggedOut')}</p>
      <ButtonLink look="primary" size="l" href="/auth/login">
        {words('loginTitle')}
      </ButtonLink>
    </div>
  )
}

const useNewPassword = (token: string) => {
  const { locale, refusalText } = useAuthWords()
  const form = useForm<NewPasswordForm>({
    resolver: zodResolver(NewPasswordForm),
    defaultValues: { password: '', passwordConfirm: '' },
  })
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [done, setDone] = useState(false)
  const submit = form.handleSubmit(async (values) => {
    setRefusal(null)
    const answer = await postAuth('passwordreset/confirm', { token, ...values }, locale)
    if (answer.ok) return setDone(true)
    const { password } = answer.fields
    if (password) form.setError('password', { message: password }, { shouldFocus: true })
    else setRefusal(answer)
  })
  return { form, submit, done, refusal, refusalText }
}

/** The new password, twice. `onInvalid` returns to requesting another link. */
export const ResetSet = ({ token, onInvalid }: { token: string; onInvalid: () => void }) => {
  const { words, fieldError } = useAuthWords()
  const { form, submit, done, refusal, refusalText } = useNewPassword(token)
  if (done) return <Done />
  const { errors, isSubmitting } = form.formState
  const eye = { show: words('show'), hide: words('hide') }
  const again = (
    <button type="button" className="link" onClick={onInvalid}>
      {words('resetAgain')}
    </button>
  )
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={isSubmitting}>
      <ol className="stepline">
        <Step state="done" title={words('resetAsk')} />
        <Step state="on" title={words('resetSet')}>
          {refusal ? (
            <Notice tone="stop" role="alert" {...(refusal.code === 'LINK_INVALID' ? { action: again } : {})}>
              {refusalText(refusal)}
            </Notice>
          ) : null}
          <p className="t2">{words('resetWarning')}</p>
          <PasswordField
            label={words('newPassword')}
            help={words('passwordHelp')}
            words={eye}
            autoComplete="new-password"
            error={fieldError(errors.password?.message)}
            {...form.register('password')}
          />
          <PasswordField
            label={words('newPasswordAgain')}
            words={eye}
            autoComplete="new-password"
            error={fieldError(errors.passwordConfirm?.message)}
            {...form.register('passwordConfirm')}
          />
          <Button type="submit" look="primary" size="l" wide busy={isSubmitting}>
            {words('resetSubmit')}
          </Button>
        </Step>
      </ol>
    </form>
  )
}
