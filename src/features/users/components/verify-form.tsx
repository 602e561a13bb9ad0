'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import type { ChangeEvent, RefObject } from 'react'
import { useForm } from 'react-hook-form'
import { RESEND_SECONDS } from '#domain/users/proofs.ts'
import { usePageReturn } from '@/ui/screen/use-page-return.ts'
import { Button, ButtonLink } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { postSignedIn, readMailbox } from '../auth-client.ts'
import type { Refusal } from '../auth-client.ts'
import { takeDraft } from '../form-draft.ts'
import { CodeForm } from '../schemas.ts'
import { loginToVerify, targetAfterLogin, targetAfterVerify } from './leave-auth.ts'
import { Step } from './step.tsx'
import { useAuthWords } from './use-auth-words.tsx'
import { useCountdown } from './use-countdown.ts'

type Mailbox = { email: string; verified: boolean }
/** `roomPx` is the height of the form when the mailbox was read: what replaces the form keeps it, as the page is centred. */
type ReadMailbox = Mailbox & { roomPx: number }

const hasEnded = ({ code }: Refusal) => code === 'UNAUTHENTICATED' || code === 'TOKEN_EXPIRED'

const useMailbox = (locale: string, form: RefObject<HTMLFormElement | null>): ReadMailbox | null => {
  const [mailbox, setMailbox] = useState<ReadMailbox | null>(null)
  useEffect(() => {
    let isHere = true
    void readMailbox(locale).then((found) => {
      if (!isHere) return
      if (found === 'signed out') window.location.assign(loginToVerify())
      else if (found) setMailbox({ ...found, roomPx: form.current?.offsetHeight ?? 0 })
    })
    return () => {
      isHere = false
    }
  }, [locale, form])
  return mailbox
}

/** The next code, after a visible countdown. */
const Resend = ({ locale, onRefusal }: { locale: string; onRefusal: (refusal: Refusal | null) => void }) => {
  const { words } = useAuthWords()
  const [seconds, wait] = useCountdown()
  const [sent, setSent] = useState(false)
  // After registering, a code was just sent.
  useEffect(() => {
    if (takeDraft('verify')['sent'] === true) wait(RESEND_SECONDS)
  }, [wait])
  const send = async () => {
    onRefusal(null)
    const answer = await postSignedIn('verify/resend', {}, locale)
    setSent(answer.ok)
    if (answer.ok) wait(RESEND_SECONDS)
    else if (answer.code === 'TOO_MANY_REQUESTS' && (answer.retryAfterSeconds ?? 0) <= RESEND_SECONDS)
      wait(answer.retryAfterSeconds ?? RESEND_SECONDS)
    else onRefusal(answer)
  }
  const isWaiting = seconds > 0
  return (
    <div className="stack">
      <Button
        wide
        onClick={isWaiting ? undefined : () => void send()}
        {...(isWaiting ? { 'aria-disabled': true } : {})}
      >
        {words('resend')}
      </Button>
      <p className="t2" role="status">
        {sent ? words('resent') : ''}
      </p>
      {isWaiting ? <p className="t2">{words('resendWait').replace('{seconds}', String(seconds))}</p> : null}
    </div>
  )
}

const useVerify = (locale: string, onDone: () => void) => {
  const { refusalText } = useAuthWords()
  const form = useForm<CodeForm>({ resolver: zodResolver(CodeForm), defaultValues: { code: '' } })
  const { setError, setValue } = form
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const submit = form.handleSubmit(async ({ code }) => {
    setRefusal(null)
    const answer = await postSignedIn('verify', { code }, locale)
    if (answer.ok) return onDone()
    if (hasEnded(answer)) return window.location.assign(loginToVerify())
    if (answer.code !== 'INVALID_CODE') return setRefusal(answer)
    setValue('code', '')
    setError('code', { message: refusalText(answer) }, { shouldFocus: true })
  })
  return { form, submit, refusal, setRefusal }
}

const Done = ({ roomPx }: { roomPx: number }) => {
  const { words } = useAuthWords()
  return (
    <div className="stack-24 mt-6 content-start" style={{ minHeight: roomPx }} role="status">
      <Lamp kind="done">{words('verified')}</Lamp>
      <ButtonLink look="primary" size="l" href={targetAfterVerify()}>
        {words('goOn')}
      </ButtonLink>
    </div>
  )
}

/**
 * The code from the mail: six digits are submitted automatically. It can be skipped: everything can be viewed without
 * it.
 */
export const VerifyForm = () => {
  const { locale, words, fieldError, refusalText } = useAuthWords()
  const element = useRef<HTMLFormElement>(null)
  const mailbox = useMailbox(locale, element)
  const [leaving, setLeaving] = useState(false)
  usePageReturn(() => setLeaving(false))
  const leave = (target: string) => {
    setLeaving(true)
    window.location.assign(target)
  }
  const { form, submit, refusal, setRefusal } = useVerify(locale, () => leave(targetAfterVerify()))
  const input = form.register('code', {
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const digits = event.target.value.replaceAll(/\D/g, '').slice(0, 6)
      if (digits !== event.target.value) form.setValue('code', digits)
      if (digits.length === 6) void submit()
    },
  })
  if (mailbox?.verified) return <Done roomPx={mailbox.roomPx} />
  const busy = form.formState.isSubmitting || leaving
  const sentTo = mailbox ? words('verifySentTo').replace('{email}', mailbox.email) : words('verifySent')
  return (
    <form ref={element} onSubmit={submit} noValidate method="post" aria-busy={busy}>
      <ol className="stepline">
        <Step state="done" title={words('details')} />
        <Step state="on" title={words('verifyStep')}>
          {refusal ? (
            <Notice tone="stop" role="alert">
              {refusalText(refusal)}
            </Notice>
          ) : null}
          <p className="t2">{sentTo}</p>
          <Field
            code
            label={words('code')}
            help={words('verifyHelp')}
            inputMode="numeric"
            autoComplete="one-time-code"
            error={fieldError(form.formState.errors.code?.message)}
            {...input}
          />
          <Button type="submit" look="primary" size="l" wide busy={busy}>
            {words('verifySubmit')}
          </Button>
          <Resend locale={locale} onRefusal={setRefusal} />
        </Step>
        <Step state="ahead" title={words('firstTopUp')} />
        <Step
          state="ahead"
          title={words('dashboard')}
          end={
            <button type="button" className="link" onClick={() => leave(targetAfterLogin())}>
              {words('later')}
            </button>
          }
        />
      </ol>
    </form>
  )
}
