'use client'
import { Users } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ServerPlayers } from '#contracts/panel/players.ts'
import { formatCount } from '@/lib/format/money.ts'
import { LINE_SIZE, playersLine } from './players-line.ts'

/** How many people play now, and the most of each hour of the last day as a small line. Nothing for a game that is not asked. */
export const PlayersCell = ({ players }: { players: ServerPlayers | undefined }) => {
  const t = useTranslations('servers.list.players')
  const locale = useLocale()
  if (players === undefined) return null
  const { now, hours } = players
  const line = playersLine(hours)
  const known = hours.filter((hour) => hour !== null)
  const count = (value: number) => formatCount(value, locale)
  const most = known.length > 0 ? t('most', { count: Math.max(...known), shown: count(Math.max(...known)) }) : ''
  const text = now === null ? most : `${t('now', { online: count(now.online), max: count(now.max) })} ${most}`
  return (
    <span className="sv-players" title={text}>
      <Users className="i i-s" aria-hidden />
      <span className="vh">{text}</span>
      <span className="tnum sv-count" aria-hidden="true">
        {now === null ? '–' : <b>{count(now.online)}</b>}
        {now === null ? null : <span className="t2"> / {count(now.max)}</span>}
      </span>
      {line === '' ? null : (
        <svg
          className="sv-hours"
          width={LINE_SIZE.width}
          height={LINE_SIZE.height}
          viewBox={`0 0 ${LINE_SIZE.width} ${LINE_SIZE.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={line} />
        </svg>
      )}
    </span>
  )
}
