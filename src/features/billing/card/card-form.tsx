'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import type { CardPageParameters } from '#contracts/http/card-page.ts'
import { formatMoney } from '@/lib/format-money.ts'
import { Button } from '@/ui/button.tsx'
import { MoneyLine } from '@/ui/money-line.tsx'
import { Notice } from '@/ui/notice.tsx'
import { ErrorState, SkeletonRows } from '@/ui/states.tsx'
import type { StripeProblem } from './stripe-script.ts'
import { useCardFields } from './use-card-fields.ts'

type Words = ReturnType<typeof useTranslations<'balance.card'>>

/** What went wrong in one sentence. The provider's own text is used where it speaks of what was typed. */
export const problemText = (t: Words, { type, code, message }: StripeProblem): string => {
  if (type === 'validation_error') return message ?? t('incomplete')
  if (type === 'card_error') return code === 'card_declined' || !message ? t('declined') : message
  if (code === 'payment_intent_authentication_failure') return t('notConfirmed')
  return type === 'invalid_request_error' ? t('failed') : t('unknown')
}

type CardFormProps = {
  amountFt: number
  parameters: CardPageParameters
  secret: string
  /** Where the bank's page leads back to. */
  returnUrl: string
  /** What is said before anything was tried here. */
  firstProblem: string | null
  onPaid: () => void
  /** After a failure that may have been a payment all the same. */
  onUnsure: () => void
}

/** The provider's fields, wallets and the button that pays. A declined card leaves everything as it is for the next one. */
export const CardForm = ({
  amountFt,
  parameters,
  secret,
  returnUrl,
  firstProblem,
  onPaid,
  onUnsure,
}: CardFormProps) => {
  const t = useTranslations('balance.card')
  const tb = useTranslations('balance')
  const tc = useTranslations('common')
  const locale = useLocale()
  const [problem, setProblem] = useState(firstProblem)
  const [isPaying, setPaying] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const wallets = useRef<HTMLDivElement>(null)

  const pay = async () => {
    const fields = held.current
    if (!fields || isPaying) return
    setPaying(true)
    setProblem(null)
    const { stripe, elements } = fields
    const checked = await elements.submit()
    const confirmParams = { return_url: returnUrl }
    const { error } = checked.error
      ? checked
      : await stripe.confirmPayment({ elements, confirmParams, redirect: 'if_required' })
    if (!error) return onPaid()
    setPaying(false)
    setProblem(problemText(t, error))
    if (error.type !== 'card_error' && error.type !== 'validation_error') onUnsure()
  }
  const payOrTell = () =>
    void pay().catch(() => {
      setPaying(false)
      setProblem(t('unknown'))
      onUnsure()
    })
  const { state, hasWallets, held, retry } = useCardFields({ parameters, secret, card, wallets, onWallet: payOrTell })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    payOrTell()
  }
  if (state === 'failed') {
    return (
      <ErrorState action={<Button onClick={retry}>{tc('retry')}</Button>}>
        {t('scriptFailed', { host: new URL(parameters.scriptUrl).host })}
      </ErrorState>
    )
  }
  const amount = formatMoney(amountFt, locale)
  return (
    <form className="stack pt-1" onSubmit={submit} noValidate>
      <MoneyLine rows={[{ id: 'pay', term: t('amount'), amount: <b className="b">{amount}</b> }]} />
      <div ref={wallets} hidden={!hasWallets} />
      {hasWallets ? <p className="small t2">{t('orCard')}</p> : null}
      {state === 'loading' ? <SkeletonRows rows={4} label={tc('loading')} /> : null}
      <div ref={card} />
      {problem === null ? null : (
        <Notice tone="stop" role="alert">
          {problem}
        </Notice>
      )}
      <Button type="submit" look="primary" wide className="btn-order" busy={isPaying} disabled={state !== 'ready'}>
        {isPaying ? t('paying') : tb('pay', { amount })}
      </Button>
      <p className="small t2">{t('note')}</p>
    </form>
  )
}
