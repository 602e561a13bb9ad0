'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { Suspense, useEffect } from 'react'
import type { ReactNode } from 'react'
import type { TopupCheck } from '#contracts/http/payment.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { keys, topupCheckQuery } from '@/lib/queries/queries.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { wayBack } from '@/lib/navigation/way-back.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { PaymentSteps } from './payment-steps.tsx'

const lamps: Readonly<Record<TopupCheck['status'], LampKind>> = {
  processing: 'busy',
  finished: 'done',
  failed: 'crash',
}

const Heading = ({ kind, children }: { kind: LampKind; children: ReactNode }) => (
  <h1 className="row gap-3">
    <span className={`lamp lamp-l lamp-${kind}`}>
      <LampGlyph kind={kind} />
    </span>
    {children}
  </h1>
)

/** Refreshes everything that shows the balance once the payment is decided. */
const useFollowingBalance = (status: TopupCheck['status']) => {
  const client = useQueryClient()
  useEffect(() => {
    if (status === 'processing') return
    void client.invalidateQueries({ queryKey: keys.balance, exact: true })
    void client.invalidateQueries({ queryKey: keys.transactions, exact: true })
  }, [client, status])
}

const Outcome = ({ check }: { check: TopupCheck }) => {
  const t = useTranslations('balance.result')
  const locale = useLocale()
  const { status, next } = check
  useFollowingBalance(status)
  const order = wayBack()
  const byPhone = next?.kind === 'premium-sms' || next?.kind === 'premium-call'
  return (
    <div className="stack pay-result">
      <div className="stack" role="status">
        <Heading kind={lamps[status]}>
          {byPhone ? t('phoneTitle') : t(`${status}Title`, { amount: formatMoney(check.creditedFt, locale) })}
        </Heading>
        <p className="t2">{t(`${status}Text`)}</p>
      </div>
      {next && byPhone ? <PaymentSteps step={next} paymentId={check.paymentId} /> : null}
      <div className="btns">
        {status === 'failed' ? null : (
          <PageLink className={buttonClass({ look: 'primary' })} href={order ?? '/dashboard/services/game'}>
            {t(order === null ? 'rent' : 'toOrder')}
          </PageLink>
        )}
        {next && !byPhone ? <PaymentSteps step={next} paymentId={check.paymentId} /> : null}
        <PageLink
          className={buttonClass({ look: status === 'failed' ? 'primary' : 'plain' })}
          href={
            status === 'failed' ? `/dashboard/balance/summary?amount=${check.amountFt}` : '/dashboard/balance/summary'
          }
        >
          {t(status === 'failed' ? 'again' : 'balance')}
        </PageLink>
      </div>
    </div>
  )
}

/** Shown to a visitor without a payment. */
const NoPayment = () => {
  const t = useTranslations('balance')
  return (
    <div className="stack pay-result">
      <Heading kind="off">{t('result.noneTitle')}</Heading>
      <p className="t2">{t('result.noneText')}</p>
      <div className="btns">
        <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/balance/summary">
          {t('topUp')}
        </PageLink>
      </div>
    </div>
  )
}

const isNoPayment = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION')

/** Polls until the payment is decided; the provider's response counts. */
const CheckedResult = ({ id }: { id: string }) => {
  const t = useTranslations('balance')
  const tc = useTranslations('common')
  const query = useQuery(topupCheckQuery(id))
  if (isNoPayment(query.error)) return <NoPayment />
  return (
    <Region query={query} skeleton={<SkeletonRows label={tc('loading')} />} failed={t('ledgerFailed')}>
      {(check) => <Outcome check={check} />}
    </Region>
  )
}

const AskedResult = () => {
  const parameters = useSearchParams()
  const id = parameters.get('transaction') ?? parameters.get('payment')
  return id === null ? <NoPayment /> : <CheckedResult key={id} id={id} />
}

/**
 * /dashboard/balance/ok: the return page of a payment. The provider's response counts, not the return itself. An address without a
 * payment shows none: an older one would look like the result of something else.
 */
export const PaymentResult = () => {
  const tc = useTranslations('common')
  return (
    <div className="page">
      <Suspense fallback={<SkeletonRows label={tc('loading')} />}>
        <AskedResult />
      </Suspense>
    </div>
  )
}
