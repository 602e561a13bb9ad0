'use client'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Transaction } from '#contracts/http/balance.ts'
import { keys, transactionsQuery } from '@/lib/api-client/queries.ts'
import { formatMoney } from '@/lib/format-money.ts'
import { PageLink } from '@/ui/page-link.tsx'
import { wayBack } from '@/lib/way-back.ts'
import { buttonClass } from '@/ui/button.tsx'
import { LampGlyph } from '@/ui/lamp.tsx'
import type { LampKind } from '@/ui/lamp.tsx'
import { Region } from '@/ui/region.tsx'
import { SkeletonRows } from '@/ui/states.tsx'

const askEveryMs = 2_000

/** The payment that the provider sent the reader back from: the one named in the address; the newest top-up without a name. */
export const returnedPayment = (rows: readonly Transaction[], id: string | null): Transaction | undefined =>
  rows.find((row) => (id === null ? row.type === 'top-up' : row.id === id || row.document.id === id))

const lamps: Readonly<Record<Transaction['status'], LampKind>> = {
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

const Outcome = ({ payment }: { payment: Transaction }) => {
  const t = useTranslations('balance.result')
  const locale = useLocale()
  const client = useQueryClient()
  const { status } = payment
  useEffect(() => {
    if (status === 'finished') void client.invalidateQueries({ queryKey: keys.balance, exact: true })
  }, [client, status])
  const order = wayBack()
  return (
    <div className="stack pay-result" role="status">
      <Heading kind={lamps[status]}>{t(`${status}Title`, { amount: formatMoney(payment.amount, locale) })}</Heading>
      <p className="t2">{t(`${status}Text`)}</p>
      <div className="btns">
        {status === 'failed' ? null : (
          <PageLink className={buttonClass({ look: 'primary' })} href={order ?? '/dashboard/services/game'}>
            {t(order === null ? 'rent' : 'toOrder')}
          </PageLink>
        )}
        <PageLink
          className={buttonClass({ look: status === 'failed' ? 'primary' : 'plain' })}
          href={
            status === 'failed' ? `/dashboard/balance/summary?amount=${payment.amount}` : '/dashboard/balance/summary'
          }
        >
          {t(status === 'failed' ? 'again' : 'balance')}
        </PageLink>
      </div>
    </div>
  )
}

/** Whoever comes here without having paid is told so. */
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

/** /dashboard/balance/ok: the way back from the payment page. The provider's answer counts, not the return itself. */
export const PaymentResult = () => {
  const t = useTranslations('balance')
  const tc = useTranslations('common')
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search)
    setId(parameters.get('transaction') ?? parameters.get('payment'))
  }, [])
  const query = useInfiniteQuery({
    ...transactionsQuery(),
    refetchInterval: ({ state }) => {
      const rows = state.data?.pages.flatMap((page) => page.items) ?? []
      const status = returnedPayment(rows, id)?.status
      return status === 'finished' || status === 'failed' ? false : askEveryMs
    },
  })
  return (
    <div className="page">
      <Region query={query} skeleton={<SkeletonRows label={tc('loading')} />} failed={t('ledgerFailed')}>
        {(data) => {
          const payment = returnedPayment(
            data.pages.flatMap((page) => page.items),
            id,
          )
          return payment ? <Outcome payment={payment} /> : <NoPayment />
        }}
      </Region>
    </div>
  )
}
