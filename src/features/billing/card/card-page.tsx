'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { CardPageParameters } from '#contracts/http/card-page.ts'
import { TopupCheck } from '#contracts/http/payment.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { CardForm } from './card-form.tsx'
import { isOwnDocument, leaveByLoading, takeReturn } from './own-document.ts'

const check = (transaction: string) =>
  api.call('/api/balance/topup/check', { method: 'POST', body: { transaction }, schema: TopupCheck })

// The result is shown on a page without the provider's script.
const goToResult = (transaction: string) =>
  window.location.replace(`/dashboard/balance/ok?transaction=${encodeURIComponent(transaction)}`)

const returnAddress = (transaction: string): string => {
  const { origin, pathname } = window.location
  return `${origin}${pathname}?transaction=${encodeURIComponent(transaction)}`
}

type Arrival = ReturnType<typeof takeReturn>

/** The next step of this payment; once there is none, the result page is shown. */
const OpenPayment = ({ transaction, hasFailed }: { transaction: string; hasFailed: boolean }) => {
  const t = useTranslations('balance.card')
  const tc = useTranslations('common')
  const query = useQuery({
    queryKey: ['balance', 'card', transaction],
    queryFn: () => check(transaction),
    staleTime: Number.POSITIVE_INFINITY,
    // The response contains the secret that confirms this payment: it is not cached beyond this page.
    gcTime: 0,
  })
  const step = query.data?.next
  const parameters = CardPageParameters.safeParse(step?.kind === 'page' ? step.parameters : undefined)
  const isOver = query.data !== undefined && !parameters.success
  useEffect(() => {
    if (isOver) goToResult(transaction)
  }, [isOver, transaction])
  return (
    <Region query={query} skeleton={<SkeletonRows rows={5} label={tc('loading')} />} failed={t('loadFailed')}>
      {({ amountFt, next }) =>
        parameters.success && next?.kind === 'page' ? (
          <CardForm
            amountFt={amountFt}
            parameters={parameters.data}
            secret={next.secret}
            returnUrl={returnAddress(transaction)}
            firstProblem={hasFailed ? t('notConfirmed') : null}
            onPaid={() => goToResult(transaction)}
            onUnsure={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows rows={5} label={tc('loading')} />
        )
      }
    </Region>
  )
}

/** /dashboard/balance/card: the card's fields and the wallets. It is the only page that loads a provider's script. */
export const CardPage = () => {
  const t = useTranslations('balance.card')
  const tb = useTranslations('balance')
  const [arrival, setArrival] = useState<Arrival | null>(null)
  useEffect(() => {
    // If the router shows it, the page still has the previous page's policy.
    if (!isOwnDocument()) return window.location.reload()
    setArrival(takeReturn())
    return leaveByLoading()
  }, [])
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <div className="card-pay">
        {arrival === null ? null : arrival.transaction === null ? (
          <p className="t2 py-3">{tb('result.noneText')}</p>
        ) : (
          <Panel title={t('panel')}>
            <OpenPayment transaction={arrival.transaction} hasFailed={arrival.hasFailed} />
          </Panel>
        )}
        <PageLink className={buttonClass({ look: 'quiet' })} href="/dashboard/balance/summary">
          {t('otherWay')}
        </PageLink>
      </div>
    </div>
  )
}
