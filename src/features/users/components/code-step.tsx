'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { postAuth } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { CodeForm, RecoveryForm } from '../schemas.ts'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'

/** The result of the first step of a sign-in: `kinds` are the account's factors. */
export type Begun = { readonly challenge: string; readonly kinds: readonly string[] }

type Kind = 'totp' | 'recovery'
type FormProps = { kind: Kind; challenge: string; onDone: () => void; onExpired: (refusal: Refusal) => void }

const useCodeForm = ({ kind, challenge, onDone, onExpired }: FormProps) => {
  const { locale, refusalText } = useAuthWords()
  const form = useForm<CodeForm>({
    resolver: zodResolver(kind === 'totp' ? CodeForm : RecoveryForm),
    defaultValues: { code: '' },
  })
  const { handleSubmit, setError, setFocus, setValue } = form
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [done, setDone] = useState(false)
  useEffect(() => setFocus('code'), [setFocus])

  const submit = handleSubmit(async ({ code }) => {
    setRefusal(null)
    const answer = await postAuth('login/factor', { challenge, code }, locale)
    if (answer.ok) {
      setDone(true)
      return onDone()
    }
    if (answer.code === 'TOKEN_EXPIRED' || answer.code === 'ACCOUNT_LEAVING') return onExpired(answer)
    if (answer.code !== 'INVALID_CODE') return setRefusal(answer)
    setValue('code', '')
    setError('code', { message: refusalText(answer) }, { shouldFocus: true })
  })
  return { form, submit, refusal, busy: form.formState.isSubmitting || done }
}

/** One input; pasting works, and an app's six digits are submitted automatically. */
const CodeFields = (props: FormProps) => {
  const { words, fieldError, refusalText } = useAuthWords()
  const { form, submit, refusal, busy } = useCodeForm(props)
  const { formState, register, setValue } = form
  const isApp = props.kind === 'totp'
  const input = register('code', {
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      if (!isApp) return
      const digits = event.target.value.replaceAll(/\D/g, '').slice(0, 6)
      if (digits !== event.target.value) setValue('code', digits)
      if (digits.length === 6) void submit()
    },
  })
  const look = isApp
    ? ({ code: true, label: words('code'), help: words('codeHelp'), inputMode: 'numeric' } as const)
    : ({
        label: words('recoveryCode'),
        help: words('recoveryHelp'),
        autoCapitalize: 'none',
        spellCheck: false,
      } as const)
  return (
    <form onSubmit={submit} noValidate method="post" aria-busy={busy}>
      {refusal ? (
        <Notice tone="stop" role="alert">
          {refusalText(refusal)}
        </Notice>
      ) : null}
      <p className="t2">{words(isApp ? 'codeText' : 'recoveryText')}</p>
      <Field
        {...look}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        error={fieldError(formState.errors.code?.message)}
        {...input}
      />
      <Button type="submit" look="primary" size="l" wide busy={busy}>
        {words('loginSubmit')}
      </Button>
    </form>
  )
}

type Props = {
  begun: Begun
  name: string
  onDone: () => void
  onBack: () => void
  onExpired: (refusal: Refusal) => void
  children?: ReactNode
}

/** The second factor: a code of the app, or a recovery code. `children` are the alternatives. */
export const CodeStep = ({ begun, name, onDone, onBack, onExpired, children }: Props) => {
  const { words } = useAuthWords()
  const hasApp = begun.kinds.includes('totp')
  const [kind, setKind] = useState<Kind>(hasApp ? 'totp' : 'recovery')
  const other: Kind = kind === 'totp' ? 'recovery' : 'totp'
  return (
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
      <Step state="on" title={words(kind === 'totp' ? 'codeTitle' : 'recoveryTitle')}>
        {children}
        <CodeFields key={kind} kind={kind} challenge={begun.challenge} onDone={onDone} onExpired={onExpired} />
        {hasApp ? (
          <button type="button" className="link" onClick={() => setKind(other)}>
            {words(kind === 'totp' ? 'useRecovery' : 'useApp')}
          </button>
        ) : null}
      </Step>
      <Step state="ahead" title={words('dashboard')} />
    </ol>
  )
}
