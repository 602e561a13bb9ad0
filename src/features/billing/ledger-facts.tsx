'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import type { Transaction } from '#contracts/http/balance.ts'
import type { TransactionDetail } from '#contracts/http/transaction-detail.ts'
import { transactionQuery, withdrawalsQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney, formatSignedMoney } from '@/lib/format/money.ts'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { formulaSteps, isFormulaWorthwhile, sizeText } from './formula-words.ts'
import { useDownload } from './use-download.ts'

type Fact = { readonly id: string; readonly term: string; readonly value: ReactNode }

const causeKeys = {
  'top-up': 'topUp',
  'top-up-assigned': 'topUpAssigned',
  order: 'order',
  renewal: 'renewal',
  'renewal-automatic': 'renewalAutomatic',
  modification: 'modification',
  premium: 'premium',
  spins: 'spins',
  prize: 'prize',
  coupon: 'coupon',
  refund: 'refund',
  'given-back': 'givenBack',
  'charge-back': 'chargeBack',
  'dispute-won': 'disputeWon',
  'debt-paid': 'debtPaid',
  'account-closed': 'accountClosed',
  correction: 'correction',
} as const satisfies Record<TransactionDetail['cause'], string>

const knownMethods = ['sandbox', 'barion', 'paypal', 'stripe', 'phone'] as const
const isKnown = (id: string): id is (typeof knownMethods)[number] => (knownMethods as readonly string[]).includes(id)

const ServerName = ({ server }: { server: NonNullable<TransactionDetail['server']> }) => {
  const t = useTranslations('balance.line')
  if (!server.isThere) return <>{t('deleted', { name: server.name })}</>
  return (
    <PageLink className="link" href={`/panel/${server.id}/console`} prefetch={false}>
      {server.name}
    </PageLink>
  )
}

/** The steps and their result; a line wraps only between steps. */
const Formula = ({ detail, amountFt }: { detail: TransactionDetail; amountFt: number }) => {
  const t = useTranslations('balance.line')
  const locale = useLocale()
  const [first, ...rest] = formulaSteps(detail.formula, { t, locale })
  return (
    <b className="formula">
      <span>{first?.text}</span>
      {rest.map(({ sign, text }) => (
        <Fragment key={text}>
          {' '}
          <span>
            {sign} {text}
          </span>
        </Fragment>
      ))}{' '}
      <span>= {formatMoney(Math.abs(amountFt), locale)}</span>
    </b>
  )
}

const Documents = ({ documents }: Pick<TransactionDetail, 'documents'>) => {
  const t = useTranslations('balance.line')
  const ti = useTranslations('invoices')
  const { busyId, hasFailed, take } = useDownload()
  return (
    <>
      <ul className="row wrap">
        {documents.map(({ id, number, kind, downloadUrl }) => (
          <li key={id}>
            <button
              type="button"
              className="link"
              aria-busy={busyId === id}
              disabled={busyId === id}
              onClick={() => void take(id, { path: downloadUrl, name: `${number}.pdf` })}
            >
              {t(kind === 'invoice' ? 'document' : kind, { number })}
            </button>
          </li>
        ))}
      </ul>
      {hasFailed ? <p role="alert">{ti('downloadFailed')}</p> : null}
    </>
  )
}

/** Cause, product and period. */
const useCauseFacts = (detail: TransactionDetail): Fact[] => {
  const t = useTranslations('balance.line')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const day = (moment: string) => formatDate(moment, locale, { style: 'date', timeZone })
  const { cause, product, size, newSize, period, server, reason } = detail
  const reader = { t, locale }
  const why = t(`causes.${causeKeys[cause]}`, { product: product ?? '' })
  const facts: (Fact | null)[] = [
    { id: 'why', term: t('why'), value: cause === 'correction' && reason !== null ? reason : why },
    cause !== 'correction' && reason !== null ? { id: 'reason', term: t('reason'), value: reason } : null,
    server && { id: 'server', term: t('server'), value: <ServerName server={server} /> },
    size && {
      id: 'size',
      term: t('sizeTerm'),
      value: newSize ? `${sizeText(size, reader)} → ${sizeText(newSize, reader)}` : sizeText(size, reader),
    },
    period && { id: 'period', term: t('period'), value: `${day(period.start)} – ${day(period.end)}` },
  ]
  return facts.filter((fact) => fact !== null)
}

/** Payment method, calculation, and documents. */
const useMoneyFacts = (detail: TransactionDetail, amountFt: number): Fact[] => {
  const t = useTranslations('balance.line')
  const tb = useTranslations('balance')
  const { method, providerReference, formula, documents, paymentLineId, cause } = detail
  const facts: (Fact | null)[] = [
    method === null
      ? null
      : { id: 'method', term: t('method'), value: isKnown(method) ? tb(`methods.${method}`) : method },
    isFormulaWorthwhile(formula)
      ? { id: 'formula', term: t('formula'), value: <Formula detail={detail} amountFt={amountFt} /> }
      : null,
    documents.length > 0 ? { id: 'documents', term: t('documents'), value: <Documents documents={documents} /> } : null,
    providerReference === null
      ? null
      : {
          id: 'reference',
          term: t('reference'),
          value: <CopyText quiet text={providerReference} label={t('copyReference')} />,
        },
    paymentLineId === null
      ? null
      : { id: 'payment', term: t('payment'), value: <CopyText quiet text={paymentLineId} label={t('copyPayment')} /> },
    cause === 'prize'
      ? {
          id: 'draw',
          term: t('draw'),
          value: (
            <PageLink className="link" href="/dashboard/spin" prefetch={false}>
              {t('drawLink')}
            </PageLink>
          ),
        }
      : null,
  ]
  return facts.filter((fact) => fact !== null)
}

const useRowFacts = (row: Transaction): Fact[] => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const facts: (Fact | null)[] = [
    { id: 'when', term: t('facts.when'), value: formatDate(row.createdAt, locale, { style: 'dateTime', timeZone }) },
    { id: 'state', term: t('facts.state'), value: t(`states.${row.status}`) },
    row.refundedFt > 0
      ? { id: 'refunded', term: t('facts.refunded'), value: formatSignedMoney(row.refundedFt, locale) }
      : null,
    { id: 'id', term: t('facts.id'), value: <CopyText quiet text={row.id} label={t('facts.copyId')} /> },
  ]
  return facts.filter((fact) => fact !== null)
}

/** While a contract can be withdrawn from, its line links to that page. */
const useWithdrawalFacts = (row: Transaction): Fact[] => {
  const t = useTranslations('withdrawal')
  const offers = useQuery(withdrawalsQuery()).data?.items
  const offer = offers?.find(({ documentId }) => documentId === row.document.id)
  if (offer === undefined || row.type === 'refund') return []
  const href = offer.serverId === null ? '/dashboard/premium' : `/panel/${offer.serverId}/settings`
  const value = (
    <PageLink className="link" href={`${href}#withdrawal`}>
      {t('link')}
    </PageLink>
  )
  return [{ id: 'withdrawal', term: t('title'), value }]
}

const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(({ id, term, value }) => (
      <Fragment key={id}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
)

const Explained = ({ row, detail }: { row: Transaction; detail: TransactionDetail }) => {
  const money = [...useMoneyFacts(detail, row.amount), ...useWithdrawalFacts(row)]
  const facts = [...useCauseFacts(detail), ...money, ...useRowFacts(row)]
  return <FactList facts={facts} />
}

/** The line's own data, while the details are loading or have failed. */
const Bare = ({ row, hasFailed }: { row: Transaction; hasFailed: boolean }) => {
  const t = useTranslations('balance.line')
  const tc = useTranslations('common')
  const facts = useRowFacts(row)
  return (
    <>
      {hasFailed ? <p className="facts-note">{t('failed')}</p> : <SkeletonRows rows={2} label={tc('loading')} />}
      <FactList facts={facts} />
    </>
  )
}

/** An opened transaction: cause, server, period, formula, documents and ids. Loaded when it is opened. */
export const LedgerFacts = ({ row }: { row: Transaction }) => {
  const query = useQuery(transactionQuery(row))
  return query.data ? <Explained row={row} detail={query.data} /> : <Bare row={row} hasFailed={query.isError} />
}
