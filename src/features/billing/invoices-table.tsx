'use client'
import { Download } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Invoice } from '#contracts/http/balance.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney, formatSignedMoney } from '@/lib/format/money.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

const lamps = { issued: 'due', paid: 'done', storno: 'off', corrected: 'off' } as const satisfies Record<
  Invoice['status'],
  LampKind
>

const names = { storno: 'cancellation', correction: 'correction' } as const

const State = ({ row }: { row: Invoice }) => {
  const t = useTranslations('invoices')
  const related = [
    ...(row.stornoOf ? [t('takesBack', { number: row.stornoOf })] : []),
    ...(row.stornoBy ? [t('takenBackBy', { number: row.stornoBy })] : []),
    ...(row.correctionOf ? [t('corrects', { number: row.correctionOf })] : []),
    ...row.correctedBy.map((number) => t('correctedBy', { number })),
  ]
  return (
    <>
      <Lamp kind={row.kind === 'invoice' ? lamps[row.status] : 'off'} quiet>
        {row.kind === 'invoice' ? t(`states.${row.status}`) : t(names[row.kind])}
      </Lamp>
      {related.map((text) => (
        <span key={text} className="small t2 inv-related">
          {text}
        </span>
      ))}
    </>
  )
}

type RowProps = {
  row: Invoice
  /** Whether its file is being downloaded. */
  isBusy: boolean
  onDownload: (row: Invoice) => void
}

const Row = ({ row, isBusy, onDownload }: RowProps) => {
  const t = useTranslations('invoices')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const isBack = row.kind !== 'invoice'
  return (
    <tr>
      <td className="inv-number">
        <span className="what">{row.number}</span>
        <span className="small t2 inv-form">{t(`forms.${row.form}`)}</span>
      </td>
      <td className="inv-date">{formatDate(row.createdAt, locale, { style: 'day', timeZone })}</td>
      <td className="inv-what">{row.what}</td>
      <td className="inv-state">
        <State row={row} />
      </td>
      <td className="num inv-total">
        {isBack ? formatSignedMoney(row.totalFt, locale) : formatMoney(row.totalFt, locale)}
        {row.vatFt > 0 ? (
          <span className="small t2 inv-vat">{t('vat', { amount: formatMoney(row.vatFt, locale) })}</span>
        ) : null}
      </td>
      <td className="num inv-file">
        <button
          type="button"
          className="icon-btn"
          aria-label={t('downloadOf', { number: row.number })}
          aria-busy={isBusy}
          disabled={isBusy}
          onClick={() => onDownload(row)}
        >
          <Download className="i" aria-hidden />
        </button>
      </td>
    </tr>
  )
}

type InvoicesTableProps = Pick<RowProps, 'onDownload'> & {
  rows: readonly Invoice[]
  /** The document whose file is being downloaded. */
  busyId: string | null
}

/** Invoices and receipts, each with its file. */
export const InvoicesTable = ({ rows, busyId, onDownload }: InvoicesTableProps) => {
  const t = useTranslations('invoices')
  return (
    <table className="t inv bleed">
      <caption className="vh">{t('list')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('columns.number')}</th>
          <th scope="col">{t('columns.date')}</th>
          <th scope="col">{t('columns.what')}</th>
          <th scope="col">{t('columns.state')}</th>
          <th scope="col" className="num">
            {t('columns.total')}
          </th>
          <th scope="col">
            <span className="vh">{t('download')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} isBusy={busyId === row.id} onDownload={onDownload} />
        ))}
      </tbody>
    </table>
  )
}
