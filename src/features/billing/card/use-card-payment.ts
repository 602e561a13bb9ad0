'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { CardPageParameters } from '#contracts/http/card-page.ts'
import type { StripeProblem } from './stripe-script.ts'
import { useCardFields } from './use-card-fields.ts'
import type { CardFields } from './use-card-fields.ts'

type Words = ReturnType<typeof useTranslations<'balance.card'>>

/** The problem in one sentence. The provider's own text is used if it concerns the input. */
export const problemText = (t: Words, { type, code, message }: StripeProblem): string => {
  if (type === 'validation_error') return message ?? t('incomplete')
  if (type === 'card_error') return code === 'card_declined' || !message ? t('declined') : message
  if (code === 'payment_intent_authentication_failure') return t('notConfirmed')
  return type === 'invalid_request_error' ? t('failed') : t('unknown')
}

/** After these errors nothing was paid, and another card may be tried. */
const isPlain = ({ type }: StripeProblem): boolean => type === 'card_error' || type === 'validation_error'

const confirm = async ({ stripe, elements }: CardFields, returnUrl: string): Promise<StripeProblem | undefined> => {
  const checked = await elements.submit()
  if (checked.error) return checked.error
  const confirmParams = { return_url: returnUrl }
  return (await stripe.confirmPayment({ elements, confirmParams, redirect: 'if_required' })).error
}

export type CardPayment = {
  readonly parameters: CardPageParameters
  readonly secret: string
  /** The return address for the bank's page. */
  readonly returnUrl: string
  /** The initial message. */
  readonly firstProblem: string | null
  readonly onPaid: () => void
  /** Called after a failure that may still have been a payment. */
  readonly onUnsure: () => void
}

/** The fields and the result of paying with them. A declined card leaves everything as it is for the next one. */
export const useCardPayment = ({ parameters, secret, returnUrl, firstProblem, onPaid, onUnsure }: CardPayment) => {
  const t = useTranslations('balance.card')
  const [problem, setProblem] = useState(firstProblem)
  const [isPaying, setPaying] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const wallets = useRef<HTMLDivElement>(null)

  const pay = async () => {
    const fields = held.current
    if (!fields || isPaying) return
    setPaying(true)
    setProblem(null)
    const failure = await confirm(fields, returnUrl).catch((): StripeProblem => ({ type: 'api_connection_error' }))
    if (!failure) return onPaid()
    setPaying(false)
    setProblem(problemText(t, failure))
    if (!isPlain(failure)) onUnsure()
  }
  const { state, hasWallets, held, retry } = useCardFields({
    parameters,
    secret,
    card,
    wallets,
    onWallet: () => void pay(),
  })
  return { state, hasWallets, retry, pay, problem, isPaying, card, wallets }
}
