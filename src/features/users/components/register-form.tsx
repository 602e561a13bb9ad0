'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'
import { usePageReturn } from '@/ui/screen/use-page-return.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Checkbox } from '@/ui/controls/choice.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PasswordField } from '@/ui/controls/password-field.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { keepDraft, takeDraft } from '../form-draft.ts'
import { loginToVerify, verifyAfterRegistration } from './leave-auth.ts'
import { RegisterForm as RegisterSchema } from '../schemas.ts'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'

const empty: RegisterSchema = { username: '', email: '', password: '', passwordConfirm: '', acceptTerms: false }
const isFieldName = (name: string): name is keyof RegisterSchema => Object.hasOwn(empty, name)

const useRegisterForm = () => {
  const form = useForm<RegisterSchema>({ resolver: zodResolver(RegisterSchema), defaultValues: empty })
  const { getValues, setValue } = form
  useEffect(() => {
    const { username, email, acceptTerms } = takeDraft('register')
    if (typeof username === 'string') setValue('username', username)
    if (typeof email === 'string') setValue('email', email)
    if (typeof acceptTerms === 'boolean') setValue('acceptTerms', acceptTerms)
    const keep = () => {
      const values = getValues()
      keepDraft('register', { username: values.username, email: values.email, acceptTerms: values.acceptTerms })
    }
    document.addEventListener('languagechoice', keep)
    return () => document.removeEventListener('languagechoice', keep)
  }, [getValues, setValue])
  return form
}

const codeFields: Readonly<Partial<Record<Refusal['code'], keyof RegisterSchema>>> = {
  USERNAME_TAKEN: 'username',
  TERMS_NOT_ACCEPTED: 'acceptTerms',
}

/** Shows a refusal at its fields, with the focus in the first; returns whether there were any. */
const placeRefusal = (form: UseFormReturn<RegisterSchema>, refusal: Refusal, text: string): boolean => {
  const own = codeFields[refusal.code]
  const placed = own ? { ...refusal.fields, [own]: refusal.fields[own] ?? text } : refusal.fields
  const names = (Object.keys(empty) as (keyof RegisterSchema)[]).filter((name) => isFieldName(name) && placed[name])
  names.forEach((name, place) => form.setError(name, { message: placed[name] ?? text }, { shouldFocus: place === 0 }))
  return names.length > 0
}

const Fields = ({ form, terms }: { form: UseFormReturn<RegisterSchema>; terms: ReactNode }) => {
  const { words, fieldError } = useAuthWords()
  const { errors } = form.formState
  const plain = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const
  const eye = { show: words('show'), hide: words('hide') }
  return (
    <>
      <Field
        {...plain}
        label={words('username')}
        help={words('usernameHelp')}
        autoComplete="username"
        error={fieldError(errors.username?.message)}
        {...form.register('username')}
      />
      <Field
        {...plain}
        type="email"
        label={words('email')}
        autoComplete="email"
        error={fieldError(errors.email?.message)}
        {...form.register('email')}
      />
      <PasswordField
        label={words('password')}
        help={words('passwordHelp')}
        words={eye}
        autoComplete="new-password"
        error={fieldError(errors.password?.message)}
        {...form.register('password')}
      />
      <PasswordField
        label={words('passwordAgain')}
        words={eye}
        autoComplete="new-password"
        error={fieldError(errors.passwordConfirm?.message)}
        {...form.register('passwordConfirm')}
      />
      <Checkbox error={fieldError(errors.acceptTerms?.message)} {...form.register('acceptTerms')}>
        {terms}
      </Checkbox>
    </>
  )
}

/** Creates the account and signs in at once. `terms` is the consent sentence with its links. */
export const RegisterForm = ({ terms }: { terms: ReactNode }) => {
  const { locale, words, refusalText } = useAuthWords()
  const form = useRegisterForm()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [made, setMade] = useState(false)
  usePageReturn(() => setMade(false))

  const submit = form.handleSubmit(async (values) => {
    setRefusal(null)
    const answer = await postAuth('register', values, locale)
    if (!answer.ok) {
      if (!placeRefusal(form, answer, refusalText(answer))) setRefusal(answer)
      return
    }
    setMade(true)
    const login = await postAuth('login', { username: values.username, password: values.password }, locale)
    keepDraft('verify', { sent: true })
    if (!login.ok) keepDraft('login', { username: values.username, made: true })
    window.location.assign(login.ok ? verifyAfterRegistration() : loginToVerify())
  })
  const busy = form.formState.isSubmitting || made
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={busy}>
      <ol className="stepline">
        <Step state="on" title={words('details')}>
          {refusal ? (
            <Notice tone="stop" role="alert">
              {refusalText(refusal)}
            </Notice>
          ) : null}
          <Fields form={form} terms={terms} />
          <Button type="submit" look="primary" size="l" wide busy={busy}>
            {words('registerSubmit')}
          </Button>
        </Step>
        <Step state="ahead" title={words('verifyStep')} />
        <Step state="ahead" title={words('firstTopUp')} />
        <Step state="ahead" title={words('dashboard')} />
      </ol>
    </form>
  )
}
