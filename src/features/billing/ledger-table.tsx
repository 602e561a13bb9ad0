'use client'
import clsx from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import type { Transaction } from '#contracts/http/balance.ts'
import { withdrawalsQuery } from '@/lib/api-client/queries.ts'
import { formatDate } from '@/lib/format-date.ts'
import { formatSignedMoney } from '@/lib/format-money.ts'
import { CopyText } from '@/ui/copy-text.tsx'
import { Lamp } from '@/ui/lamp.tsx'
import { PageLink } from '@/ui/page-link.tsx'
import { ageOf } from './age.ts'

const typeKeys = {
  'top-up': 'topUp',
  order: 'order',
  renewal: 'renewal',
  'server modification': 'modification',
  premium: 'premium',
  spin: 'spin',
  prize: 'prize',
  coupon: 'coupon',
  refund: 'refund',
  correction: 'correction',
} as const satisfies Record<Transaction['type'], string>

const State = ({ row }: { row: Transaction }) => {
  const t = useTranslations('balance')
  if (row.status === 'failed') return <Lamp kind="crash">{t('states.failed')}</Lamp>
  if (row.status === 'finished') return null
  const age = ageOf(row.createdAt, Date.now())
  return <Lamp kind="busy">{t(`processing.${age.unit}`, { count: age.count })}</Lamp>
}

/** While a contract can be withdrawn from, its row leads to where that is done. */
const WithdrawalLink = ({ row }: { row: Transaction }) => {
  const t = useTranslations('withdrawal')
  const offers = useQuery(withdrawalsQuery()).data?.items
  const offer = offers?.find(({ documentId }) => documentId === row.document.id)
  if (offer === undefined || row.type === 'refund') return null
  const href = offer.serverId === null ? '/dashboard/premium' : `/panel/${offer.serverId}/settings`
  return (
    <>
      <dt>{t('title')}</dt>
      <dd>
        <PageLink className="link" href={`${href}#withdrawal`}>
          {t('link')}
        </PageLink>
      </dd>
    </>
  )
}

const Facts = ({ row }: { row: Transaction }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <dl className="facts">
      {row.reason === '' ? null : (
        <>
          <dt>{t('facts.why')}</dt>
          <dd>{row.reason}</dd>
        </>
      )}
      <dt>{t('facts.when')}</dt>
      <dd>{formatDate(row.createdAt, locale, { style: 'dateTime', timeZone })}</dd>
      <dt>{t('facts.state')}</dt>
      <dd>{t(`states.${row.status}`)}</dd>
      {row.refundedFt > 0 ? (
        <>
          <dt>{t('facts.refunded')}</dt>
          <dd>{formatSignedMoney(row.refundedFt, locale)}</dd>
        </>
      ) : null}
      {row.document.kind === 'none' ? null : (
        <>
          <dt>{t(`facts.${row.document.kind}`)}</dt>
          <dd>
            <CopyText quiet text={row.document.id} label={t('facts.copyDocument')} />
          </dd>
        </>
      )}
      <WithdrawalLink row={row} />
      <dt>{t('facts.id')}</dt>
      <dd>
        <CopyText quiet text={row.id} label={t('facts.copyId')} />
      </dd>
    </dl>
  )
}

const Row = ({ row }: { row: Transaction }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const [open, setOpen] = useState(false)
  const what = t(`types.${typeKeys[row.type]}`)
  const when = formatDate(row.createdAt, locale, { style: 'stamp', timeZone })
  const amount = formatSignedMoney(row.amount, locale)
  return (
    <Fragment>
      <tr className={clsx(open && 'open')}>
        <td className="d">{when}</td>
        <td className="what-c">
          <span className="row wrap">
            <span className="what">{what}</span>
            <State row={row} />
          </span>
        </td>
        <td className={clsx('num am', row.amount > 0 && row.status === 'finished' && 'plus')}>
          {row.status === 'finished' ? amount : <span className="t2">({amount})</span>}
        </td>
        <td className="num ch">
          <button
            type="button"
            className="icon-btn icon-btn-s"
            aria-expanded={open}
            aria-label={`${t('details')}: ${when}, ${what}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronUp className="i" aria-hidden /> : <ChevronDown className="i" aria-hidden />}
          </button>
        </td>
      </tr>
      {open ? (
        <tr className="more">
          <td colSpan={4}>
            <Facts row={row} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  )
}

/** Movements of the balance, each of which opens to its reason and its document. */
export const LedgerTable = ({ rows }: { rows: readonly Transaction[] }) => {
  const t = useTranslations('balance')
  return (
    <table className="t led bleed">
      <caption className="vh">{t('ledger')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('columns.when')}</th>
          <th scope="col">{t('columns.what')}</th>
          <th scope="col" className="num">
            {t('columns.amount')}
          </th>
          <th scope="col">
            <span className="vh">{t('details')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  )
}
