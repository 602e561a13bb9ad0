'use client'
import clsx from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { Fragment, useId, useState } from 'react'
import type { StatementEntry, Transaction } from '#contracts/http/balance.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney, formatSignedMoney } from '@/lib/format/money.ts'
import { plateText } from '@/lib/format/plate-text.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { ageOf } from './age.ts'
import { LedgerFacts } from './ledger-facts.tsx'
import { PendingTopup } from './pending-topup.tsx'

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

const Row = ({ row }: { row: StatementEntry }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const [open, setOpen] = useState(false)
  const facts = useId()
  const type = t(`types.${typeKeys[row.type]}`)
  const what = row.months === null || row.amount > 0 ? type : t('forMonths', { type, count: row.months })
  const when = formatDate(row.createdAt, locale, { style: 'stamp', timeZone })
  const amount = formatSignedMoney(row.amount, locale)
  return (
    <Fragment>
      <tr className={clsx(open && 'open')}>
        <td className="d">{when}</td>
        <td className="what-c">
          <span className="row wrap">
            {row.server ? (
              <Plate size="s" label={row.server.name}>
                {plateText(row.server)}
              </Plate>
            ) : null}
            <span className="what">{what}</span>
            <State row={row} />
            {row.type === 'top-up' && row.status === 'processing' ? <PendingTopup row={row} /> : null}
          </span>
        </td>
        <td className={clsx('num am', row.amount > 0 && row.status === 'finished' && 'plus')}>
          {row.status === 'finished' ? amount : <span className="t2">({amount})</span>}
        </td>
        <td className="num af">
          {row.balanceAfterFt === null ? (
            '–'
          ) : (
            <>
              <span className="vh">{t('columns.after')}: </span>
              {formatMoney(row.balanceAfterFt, locale)}
            </>
          )}
        </td>
        <td className="num ch">
          <button
            type="button"
            className="icon-btn icon-btn-s"
            aria-expanded={open}
            {...(open ? { 'aria-controls': facts } : {})}
            aria-label={`${t('details')}: ${when}, ${what}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronUp className="i" aria-hidden /> : <ChevronDown className="i" aria-hidden />}
          </button>
        </td>
      </tr>
      {open ? (
        <tr className="more" id={facts}>
          <td colSpan={5}>
            <LedgerFacts row={row} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  )
}

/** Transactions, each of which opens to its reason and its document. */
export const LedgerTable = ({ rows }: { rows: readonly StatementEntry[] }) => {
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
          <th scope="col" className="num">
            {t('columns.after')}
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
