'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { ErrorState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useCardPayment } from './use-card-payment.ts'
import type { CardPayment } from './use-card-payment.ts'

/** The provider's fields, the wallets and the pay button. */
export const CardForm = ({ amountFt, ...payment }: CardPayment & { amountFt: number }) => {
  const t = useTranslations('balance.card')
  const tb = useTranslations('balance')
  const tc = useTranslations('common')
  const locale = useLocale()
  const { state, hasWallets, retry, pay, problem, isPaying, card, wallets } = useCardPayment(payment)
  if (state === 'failed') {
    return (
      <ErrorState action={<Button onClick={retry}>{tc('retry')}</Button>}>
        {t('scriptFailed', { host: new URL(payment.parameters.scriptUrl).host })}
      </ErrorState>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void pay()
  }
  const amount = formatMoney(amountFt, locale)
  return (
    <form className="stack pt-1" onSubmit={submit} noValidate>
      <MoneyLine rows={[{ id: 'pay', term: t('amount'), amount: <b className="b">{amount}</b> }]} />
      {/* Hidden by its height: an undisplayed frame does not report which wallets exist. */}
      <div ref={wallets} className={hasWallets ? undefined : 'card-wait'} />
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
