'use client'
import { useLocale, useTranslations } from 'next-intl'
import { tablePlaces } from './graph-data.ts'
import type { GraphColumns } from './graph-data.ts'
import { graphTimes } from './graph-words.ts'
import type { GraphFormats } from './graph-words.ts'

const mostRows = 12
const allNames = ['cpu', 'memory', 'received', 'sent', 'players', 'disk'] as const

/** The graphs as numbers, for readers who do not see or understand the drawings. */
export const GraphTable = ({
  columns,
  formats,
  zone,
}: {
  columns: GraphColumns
  formats: GraphFormats
  zone: string
}) => {
  const t = useTranslations('console.graphs')
  const locale = useLocale()
  const times = graphTimes(locale, zone)
  const names = allNames.filter((name) => name !== 'players' || columns.players.length > 0)
  const formatOf = {
    cpu: formats.percent,
    memory: formats.bytes,
    received: formats.rate,
    sent: formats.rate,
    players: formats.count,
    disk: formats.bytes,
  }
  return (
    <details className="graph-table">
      <summary>{t('table')}</summary>
      <div className="graph-table-scroll" tabIndex={0} role="region" aria-label={t('table')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('time')}</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  {t(`columns.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="tnum">
            {tablePlaces(columns, mostRows).map((at) => (
              <tr key={columns.times[at]}>
                <th scope="row">{times.second(columns.times[at] ?? 0)}</th>
                {names.map((name) => {
                  const value = columns[name][at]
                  return <td key={name}>{value === null || value === undefined ? '–' : formatOf[name](value)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
