'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Balance } from '#contracts/http/balance.ts'
import { balanceQuery } from '@/lib/api-client/queries.ts'
import { formatDate } from '@/lib/format-date.ts'
import { formatMoney } from '@/lib/format-money.ts'
import { Board } from '@/ui/board.tsx'
import type { BoardCell } from '@/ui/board.tsx'
import { LampGlyph } from '@/ui/lamp.tsx'
import { Region } from '@/ui/region.tsx'
import { Skeleton } from '@/ui/states.tsx'
import type { Runway } from './runway.ts'
import { useRunway } from './use-runway.ts'

type Words = ReturnType<typeof useTranslations<'balance'>>
/** Who reads: in which language and zone dates are written. */
type Reader = { locale: string; timeZone: string | undefined }

/** Until when the balance lasts, as a cell of a board. */
export const lastsCell = (t: Words, { locale, timeZone }: Reader, runway: Runway | null | undefined): BoardCell => {
  if (runway === null) return { id: 'lasts', term: t('lasts'), value: '–', note: t('unknown') }
  if (!runway) return { id: 'lasts', term: t('lasts'), value: <Skeleton width="72px" height={20} /> }
  const { short, dues } = runway
  if (dues.length === 0) return { id: 'lasts', term: t('lasts'), value: '–', note: t('nothingDueShort') }
  if (!short) return { id: 'lasts', term: t('lasts'), value: t('lastsAll'), note: t('lastsAllNote') }
  return {
    id: 'lasts',
    term: t('lasts'),
    value: (
      <span className="row">
        <span className="lamp lamp-due">
          <LampGlyph kind="due" />
        </span>
        {formatDate(short.at, locale, { style: 'day', timeZone })}
      </span>
    ),
    note: `${t('missing', { amount: formatMoney(-short.leftFt, locale) })}: ${short.name}`,
  }
}

/** What comes due next, as a cell of a board. */
export const nextDueCell = (t: Words, { locale, timeZone }: Reader, runway: Runway | null | undefined): BoardCell => {
  if (runway === null) return { id: 'next', term: t('nextDue'), value: '–', note: t('unknown') }
  const next = runway?.dues[0]
  if (!runway) return { id: 'next', term: t('nextDue'), value: <Skeleton width="72px" height={20} /> }
  if (!next) return { id: 'next', term: t('nextDue'), value: '–', note: t('nothingDueShort') }
  return {
    id: 'next',
    term: t('nextDue'),
    value: formatDate(next.at, locale, { style: 'day', timeZone }),
    unit: `· ${formatMoney(next.amountFt, locale)}`,
    note: next.name,
  }
}

const BalanceCells = ({ balance }: { balance: Balance }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const runway = useRunway()
  const note =
    balance.heldFt > 0
      ? t('held', { amount: formatMoney(balance.heldFt, locale) })
      : balance.bonusFt > 0
        ? t('bonusPart', { amount: formatMoney(balance.bonusFt, locale) })
        : t(balance.balanceFt > 0 ? 'ready' : 'emptyNow')
  return (
    <Board
      columns={4}
      cells={[
        { id: 'now', term: t('now'), value: formatMoney(balance.balanceFt, locale), note },
        lastsCell(t, { locale, timeZone }, runway),
        {
          id: 'month',
          term: t('month'),
          value: runway ? (
            formatMoney(runway.totalFt, locale)
          ) : runway === null ? (
            '–'
          ) : (
            <Skeleton width="72px" height={20} />
          ),
          note: runway ? t('monthNote', { count: runway.dues.length }) : undefined,
        },
        { id: 'grace', term: t('grace'), value: t('graceDays'), note: t('graceNote') },
      ]}
    />
  )
}

export const BalanceBoard = () => {
  const t = useTranslations('balance')
  const query = useQuery(balanceQuery())
  return (
    <Region
      query={query}
      skeleton={
        <div className="board-skel">
          <Skeleton width="22%" height={24} />
        </div>
      }
      failed={t('failed')}
    >
      {(balance) => <BalanceCells balance={balance} />}
    </Region>
  )
}
