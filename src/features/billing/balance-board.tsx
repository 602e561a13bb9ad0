'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Balance } from '#contracts/http/balance.ts'
import { balanceQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Board } from '@/ui/surfaces/board.tsx'
import type { BoardCell } from '@/ui/surfaces/board.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { Skeleton } from '@/ui/surfaces/states.tsx'
import { lastsText } from './lasts-text.ts'
import type { Reader } from './lasts-text.ts'
import type { Runway } from './runway.ts'
import { useRunway } from './use-runway.ts'

type Words = ReturnType<typeof useTranslations<'balance'>>

/** How long the balance lasts, as a cell of a board. A warning is shown for a date within the next 30 days. */
export const lastsCell = (t: Words, reader: Reader, runway: Runway | null | undefined): BoardCell => {
  const cell = { id: 'lasts', term: t('lasts') }
  if (runway === null) return { ...cell, value: '–', note: t('unknown') }
  if (!runway) return { ...cell, value: <Skeleton width="72px" height={20} /> }
  const { short, lasts, lastsName } = runway
  if (lasts.kind === 'nothing-due') return { ...cell, value: '–', note: t('nothingDueShort') }
  const until = lastsText(t, reader, lasts)
  if (lasts.kind === 'beyond') return { ...cell, value: until, note: t('lastsAllNote') }
  // An amount that is short only after these 30 days is nothing to act on today.
  if (short === null) return { ...cell, value: until, note: t('lastsFarNote') }
  const missing = formatMoney(lasts.missing.minor, reader.locale)
  return {
    ...cell,
    value: (
      <span className="row">
        <span className="lamp lamp-due">
          <LampGlyph kind="due" />
        </span>
        {until}
      </span>
    ),
    note: `${t('missing', { amount: missing })}: ${lastsName}`,
  }
}

/** The next due charge, as a cell of a board. */
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

/** The note beside the amount of a balance: a debt, a reserve, a bonus, or that all of it can be spent. */
export const balanceNote = (t: Words, { debtFt, heldFt, bonusFt, balanceFt }: Balance, locale: string): string => {
  if (debtFt > 0) return t('debt', { amount: formatMoney(debtFt, locale) })
  if (heldFt > 0) return t('held', { amount: formatMoney(heldFt, locale) })
  if (bonusFt > 0) return t('bonusPart', { amount: formatMoney(bonusFt, locale) })
  return t(balanceFt > 0 ? 'ready' : 'emptyNow')
}

const BalanceCells = ({ balance }: { balance: Balance }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const runway = useRunway()
  const note = balanceNote(t, balance, locale)
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
