'use client'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ShownVoting } from '#contracts/summary/voting.ts'
import { sharesOf } from '#domain/votings/voting.ts'
import { formatCount } from '@/lib/format/money.ts'

type ResultsProps = Pick<ShownVoting, 'options' | 'ownOption'>

/** The options with their shares as bars, in the order of the voting; the reader's own is marked by a sign and in words. */
export const VotingResults = ({ options, ownOption }: ResultsProps) => {
  const t = useTranslations('summary.voting')
  const locale = useLocale()
  const counts = options.map(({ votes }) => votes ?? 0)
  const shares = sharesOf(counts)
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  return (
    <ul className="vote-results">
      {options.map(({ id, text }, at) => {
        const isOwn = id === ownOption
        const count = counts[at] ?? 0
        const share = shares[at] ?? 0
        return (
          <li key={id} className={clsx(isOwn && 'is-own')}>
            <span className="vote-text">
              {isOwn ? <Check className="i i-s" aria-hidden /> : null}
              <span>{text}</span>
              {isOwn ? <span className="vh">{t('own')}</span> : null}
            </span>
            <span className="vote-share">
              <b>{percent.format(share / 100)}</b>
              <span>{t('count', { count, shown: formatCount(count, locale) })}</span>
            </span>
            <span className="vote-bar" aria-hidden="true">
              <span style={{ width: `${share}%` }} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
