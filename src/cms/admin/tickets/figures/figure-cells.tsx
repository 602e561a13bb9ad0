'use client'

import type { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { formatCount } from '@/lib/format/money.ts'
import { waitText } from '@/lib/format/wait-text.ts'
import { useAdminLanguage } from '../../money/use-admin-language.ts'
import { ratings, times } from './figure-words.ts'

type Figures = TicketFigures['all']
const UNREAD = '–'

/** A number; a dash until it is read. */
export const Count = ({ value }: { readonly value: number | undefined }) => {
  const { locale } = useAdminLanguage()
  return <>{value === undefined ? UNREAD : formatCount(value, locale)}</>
}

/** How long half and nine of ten tickets took at most, in two lines, or that they are too few. */
export const Times = ({ value }: { readonly value: Figures['firstReply'] | undefined }) => {
  const { say, locale } = useAdminLanguage()
  return (
    <span className="bakter-times">
      {value ? (
        <>
          {say(times.half).replace('{time}', waitText(value.medianMs, locale))}
          <br />
          {say(times.most).replace('{time}', waitText(value.ninetyPercentMs, locale))}
        </>
      ) : value === null ? (
        say(times.few)
      ) : (
        UNREAD
      )}
    </span>
  )
}

/** The share of good ratings, of how many. */
export const Ratings = ({ value }: { readonly value: Pick<Figures, 'good' | 'bad'> | undefined }) => {
  const { say, locale } = useAdminLanguage()
  if (value === undefined) return <>{UNREAD}</>
  const { good, bad } = value
  const all = good + bad
  if (all === 0) return <>{say(ratings.none)}</>
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(good / all)
  return (
    <>
      {say(ratings.share)
        .replace('{share}', share)
        .replace('{good}', formatCount(good, locale))
        .replace('{all}', formatCount(all, locale))}
    </>
  )
}
