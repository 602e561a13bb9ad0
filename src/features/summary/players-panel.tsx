'use client'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { PlayerDays } from '#contracts/summary/figures.ts'
import { formatDate } from '@/lib/format/date.ts'
import { weekdayOf } from '@/lib/format/day.ts'
import { formatCount } from '@/lib/format/money.ts'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { Skeleton } from '@/ui/surfaces/states.tsx'
import { hostFiguresQuery, playerDaysQuery } from './player-days-query.ts'
import { playersGraph } from './players-graph.ts'

const HOUR_MS = 3_600_000

const Plot = ({ days }: Pick<PlayerDays, 'days'>) => {
  const t = useTranslations('summary.players')
  const locale = useLocale()
  const { points, past, today, ticks } = playersGraph(days.map(({ most }) => most))
  const peak = Math.max(...points.map(({ value }) => value))
  const last = days.length - 1
  const look = (at: number, value: number) => clsx(at === last && 'is-now', value === peak && peak > 0 && 'is-peak')
  return (
    <div aria-hidden="true">
      <div className="sum-plot">
        {ticks.map(({ value, y }) => (
          <span key={value} className="sum-tick" style={{ top: `${y}%` }}>
            {formatCount(value, locale)}
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <path d={past} />
          <path d={today} strokeDasharray="3 4" />
        </svg>
        {points.map(({ at, x, y, value }) => (
          <span key={at} className={clsx('sum-point', look(at, value))} style={{ left: `${x}%`, top: `${y}%` }}>
            <b>{formatCount(value, locale)}</b>
          </span>
        ))}
      </div>
      <div className="sum-days">
        {days.map(({ day }, at) => (
          <span key={day} className={clsx(at === last && 'is-now')}>
            {at === last ? t('today') : weekdayOf(day, locale, 'short')}
          </span>
        ))}
      </div>
    </div>
  )
}

/** The same numbers for readers who do not see the line. */
const Twin = ({ days }: Pick<PlayerDays, 'days'>) => {
  const t = useTranslations('summary.players')
  const locale = useLocale()
  const nameOf = (day: string, at: number) => {
    const name = weekdayOf(day, locale, 'long')
    return at === days.length - 1 ? t('soFar', { day: name }) : name
  }
  return (
    <table className="vh">
      <caption>{t('table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('day')}</th>
          <th scope="col">{t('most')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, most }, at) => (
          <tr key={day}>
            <th scope="row">{nameOf(day, at)}</th>
            <td>{most === null ? t('noCount') : formatCount(most, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Peak = ({ peak }: { peak: NonNullable<PlayerDays['peak']> }) => {
  const t = useTranslations('summary.players')
  const locale = useLocale()
  const timeZone = useTimeZone()
  if (peak.players === 0) return t('nobody')
  const atMs = Date.parse(peak.at)
  const time = (moment: number) => formatDate(moment, locale, { style: 'time', timeZone })
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone }).format(atMs)
  const shown = formatCount(peak.players, locale)
  return t('peak', { count: peak.players, shown, day, from: time(atMs), to: time(atMs + HOUR_MS) })
}

const Graph = ({ days, peak }: PlayerDays) => {
  const t = useTranslations('summary.players')
  if (peak === null) return <p className="t2 sum-empty">{t('empty')}</p>
  return (
    <figure className="sum-figure">
      <Plot days={days} />
      <figcaption className="small t2">
        <Peak peak={peak} />
      </figcaption>
      <Twin days={days} />
    </figure>
  )
}

/** How many people are registered at the host, unless staff hide it. Its line is kept free while it loads. */
const Registered = () => {
  const t = useTranslations('summary.players')
  const locale = useLocale()
  const count = useQuery(hostFiguresQuery()).data?.registeredUsers
  return (
    <p className="small t2 sum-registered">
      {count === undefined ? null : t('registered', { count, shown: formatCount(count, locale) })}
    </p>
  )
}

/** The most players of each of the last seven days as a line, over all servers whose players the reader may see. */
export const PlayersPanel = (tools: PanelTools) => {
  const t = useTranslations('summary')
  const query = useQuery(playerDaysQuery(useTimeZone()))
  return (
    <Panel
      {...tools}
      title={t('panels.names.players')}
      end={<span className="small t2 only-desk">{t('players.note')}</span>}
    >
      <div className="sum-graph">
        <Region
          query={query}
          skeleton={<Skeleton width="100%" height={156} className="sum-plot-skel" />}
          failed={t('players.failed')}
        >
          {(days) => <Graph {...days} />}
        </Region>
      </div>
      <Registered />
    </Panel>
  )
}
