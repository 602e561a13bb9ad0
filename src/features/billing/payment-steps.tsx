'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { NextStep } from '#contracts/http/payment.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'

type PhoneStep = Extract<NextStep, { number: string }>

/** The message to send, its number, its price and the credited amount. */
const PhoneInstructions = ({ step }: { step: PhoneStep }) => {
  const t = useTranslations('balance.phone')
  const locale = useLocale()
  const isCall = step.kind === 'premium-call'
  return (
    <div className="stack">
      <p>{t(isCall ? 'doCall' : 'doMessage')}</p>
      <MoneyLine
        rows={[
          { id: 'number', term: t('number'), amount: <CopyText text={step.number} label={t('copyNumber')} /> },
          {
            id: 'text',
            term: t(isCall ? 'code' : 'text'),
            amount: <CopyText text={step.text} label={t('copyText')} />,
          },
          { id: 'paid', term: t('youPay'), amount: formatMoney(step.paidFt, locale) },
          { id: 'credited', term: t('youGet'), amount: <b className="b">{formatMoney(step.creditedFt, locale)}</b> },
        ]}
      />
    </div>
  )
}

/** The customer's next step while a payment is open. */
export const PaymentSteps = ({ step, paymentId }: { step: NextStep; paymentId: string }) => {
  const t = useTranslations('balance.result')
  switch (step.kind) {
    case 'redirect':
      return (
        <a className={buttonClass({ look: 'plain' })} href={step.url} rel="noopener">
          {t('continue')}
        </a>
      )
    case 'page':
      // The page has its own policy, so it needs a full page load instead of the router.
      return (
        <a className={buttonClass({ look: 'plain' })} href={`${step.path}?transaction=${paymentId}`}>
          {t('continue')}
        </a>
      )
    case 'premium-sms':
    case 'premium-call':
      return <PhoneInstructions step={step} />
  }
}
