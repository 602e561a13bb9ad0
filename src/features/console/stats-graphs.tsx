'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { Server } from '#contracts/http/server.ts'
import { Chip } from '@/ui/controls/chip.tsx'
import type { ConsoleState } from './console-store.ts'
import { graphColumns, graphRanges, placeAt, rangeFacts, summaryOf } from './stats/graph-data.ts'
import type { GraphColumns, GraphRange } from './stats/graph-data.ts'
import { GraphPlot } from './stats/graph-plot.tsx'
import type { GraphLine } from './stats/graph-plot.tsx'
import { GraphTable } from './stats/graph-table.tsx'
import { MomentSlider } from './stats/moment-slider.tsx'
import type { SharedMoment } from './use-moment.ts'
import { graphTimes, useGraphFormats } from './stats/graph-words.ts'
import type { GraphFormats } from './stats/graph-words.ts'

type Name = Exclude<keyof GraphColumns, 'times'>
type GraphFacts = {
  id: 'cpu' | 'memory' | 'network' | 'players' | 'disk'
  lines: readonly (Omit<GraphLine, 'label'> & { name: Name })[]
  ceiling: number
  format: (value: number) => string
}

const graphsOf = (server: Server, formats: GraphFormats): readonly GraphFacts[] => [
  {
    id: 'cpu',
    lines: [
      { name: 'cpu', colour: 'bone', width: 1.5 },
      { name: 'cpuMax', colour: 'text-3', width: 1 },
    ],
    ceiling: server.cpuPercent,
    format: formats.percent,
  },
  {
    id: 'memory',
    lines: [{ name: 'memory', colour: 'bone', width: 1.5 }],
    ceiling: server.maximumMemoryMiB * 1_048_576,
    format: formats.bytes,
  },
  {
    id: 'network',
    lines: [
      { name: 'received', colour: 'bone', width: 1.5 },
      { name: 'sent', colour: 'link', width: 1.5 },
    ],
    ceiling: 1_024,
    format: formats.rate,
  },
  {
    id: 'players',
    lines: [{ name: 'players', colour: 'bone', width: 1.5 }],
    ceiling: 4,
    format: formats.count,
  },
  {
    id: 'disk',
    lines: [{ name: 'disk', colour: 'bone', width: 1.5 }],
    ceiling: server.maximumStorageMiB * 1_048_576,
    format: formats.bytes,
  },
]

type GraphProps = {
  graph: GraphFacts
  columns: GraphColumns
  range: GraphRange
  to: number
  zone: string
  /** The chosen time in epoch seconds. */
  moment: number | null
  onMoment: (time: number) => void
}

/** One graph: its name, the value under the crosshair or the newest one, the drawing, and its sentence. */
const Graph = ({ graph, columns, range, to, zone, moment, onMoment }: GraphProps) => {
  const t = useTranslations('console.graphs')
  const locale = useLocale()
  const [place, setPlace] = useState<number | null>(null)
  const times = graphTimes(locale, zone)
  const chosen = moment === null ? null : placeAt(columns.times, moment)
  const at = place ?? chosen ?? columns.times.length - 1
  const shown = graph.lines.filter(({ name }) => name !== 'cpuMax' || range !== 'minutes')
  const summary = summaryOf(columns.times, columns[graph.lines[0]?.name ?? 'cpu'])
  return (
    <figure className="graph">
      <figcaption className="graph-head">
        <b className="b">{t(`of.${graph.id}`)}</b>
        <span className="graph-values small tnum">
          {shown.map(({ name, colour }) => {
            const value = columns[name][at]
            return (
              <span key={name} data-colour={colour}>
                {t(`lines.${name}`)} {value === null || value === undefined ? '–' : graph.format(value)}
              </span>
            )
          })}
          <span className="t3">
            {place === null && chosen === null ? t('now') : times.second(columns.times[at] ?? 0)}
          </span>
        </span>
      </figcaption>
      <GraphPlot
        data={[[...columns.times], ...shown.map(({ name }) => [...columns[name]])]}
        lines={shown.map(({ name, ...look }) => ({ ...look, label: t(`lines.${name}`) }))}
        ceiling={graph.ceiling}
        from={to - rangeFacts[range].seconds}
        to={to}
        zone={zone}
        locale={locale}
        format={graph.format}
        isBytes={graph.id !== 'cpu' && graph.id !== 'players'}
        onPlace={setPlace}
        moment={moment}
        onMoment={onMoment}
      />
      <p className="graph-summary small t2">
        {summary
          ? t('summary', {
              average: graph.format(summary.average),
              highest: graph.format(summary.highest),
              time: times.minute(summary.highestAt),
            })
          : t('notMeasured')}
      </p>
    </figure>
  )
}

/** The values of all graphs at a time, or now, as words. */
const useValues = () => {
  const t = useTranslations('console.graphs')
  return (graphs: readonly GraphFacts[], columns: GraphColumns, moment: number | null): string => {
    const at = moment === null ? columns.times.length - 1 : placeAt(columns.times, moment)
    const lines = graphs.flatMap(({ lines: all, format }) => all.map(({ name }) => ({ name, format })))
    return lines
      .flatMap(({ name, format }) => {
        const value = columns[name][at]
        return name === 'cpuMax' || value === null || value === undefined
          ? []
          : [`${t(`columns.${name}`)} ${format(value)}`]
      })
      .join(', ')
  }
}

const calmStepMs = 10_000

/** The newest sample to draw: every second, or every ten with reduced motion. */
const useDrawnAt = (newestMs: number): number => {
  const [isCalm] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)
  return isCalm ? Math.floor(newestMs / calmStepMs) * calmStepMs : newestMs
}

/** The node is asked when the graphs open, when the range changes, and then once per step while they are open. */
const useHistory = (range: GraphRange, isLive: boolean, send: (message: PanelClientMessage) => boolean) => {
  useEffect(() => {
    if (!isLive) return undefined
    const { seconds, step } = rangeFacts[range]
    const ask = () => {
      const fromMs = Date.now() - seconds * 1_000
      if (document.visibilityState === 'visible') send({ event: 'send stats history', args: [{ fromMs, step }] })
    }
    ask()
    // Seconds come from the live samples; longer steps are read from the node.
    const timer = window.setInterval(ask, step === 1 ? 60_000 : step * 1_000)
    return () => window.clearInterval(timer)
  }, [range, isLive, send])
}

type StatsGraphsProps = {
  server: Server
  state: ConsoleState
  zone: string
  send: (message: PanelClientMessage) => boolean
  shared: SharedMoment
}

/** Processor, memory, network, players and storage over ten minutes, an hour or a day. */
export const StatsGraphs = ({ server, state, zone, send, shared }: StatsGraphsProps) => {
  const t = useTranslations('console.graphs')
  const locale = useLocale()
  const formats = useGraphFormats()
  const [range, setRange] = useState<GraphRange>('minutes')
  const { history, samples } = state
  const countsPlayers = (state.stats?.players ?? null) !== null
  useHistory(range, state.link.kind === 'live', send)
  const drawnAt = useDrawnAt(Math.max(samples.at(-1)?.atMs ?? 0, (history?.times.at(-1) ?? 0) * 1_000))
  const columns = useMemo(
    () =>
      graphColumns({ history, samples: samples.filter(({ atMs }) => atMs <= drawnAt), countsPlayers }, range, drawnAt),
    [history, samples, countsPlayers, range, drawnAt],
  )
  const { choose } = shared
  const chooseTime = useCallback((time: number) => choose(time * 1_000), [choose])
  const moment = shared.moment === null ? null : Math.floor(shared.moment.atMs / 1_000)
  const times = graphTimes(locale, zone)
  const valuesAt = useValues()
  const graphs = graphsOf(server, formats).filter(({ id }) => id !== 'players' || columns.players.length > 0)
  return (
    <section className="graphs" aria-label={t('title')}>
      <div className="graphs-head" role="group" aria-label={t('range')}>
        {graphRanges.map((id) => (
          <Chip key={id} small pressed={range === id} onClick={() => setRange(id)}>
            {t(`ranges.${id}`)}
          </Chip>
        ))}
      </div>
      {columns.times.length < 2 ? (
        <p className="graphs-empty t2">{t('empty')}</p>
      ) : (
        <>
          <div className="graphs-grid">
            {graphs.map((graph) => (
              <Graph
                key={`${graph.id}-${range}`}
                graph={graph}
                columns={columns}
                range={range}
                to={Math.floor(drawnAt / 1_000)}
                zone={zone}
                moment={moment}
                onMoment={chooseTime}
              />
            ))}
          </div>
          <MomentSlider
            from={columns.times[0] ?? 0}
            to={columns.times.at(-1) ?? 0}
            step={rangeFacts[range].step}
            at={moment}
            time={times.second(moment ?? 0)}
            values={valuesAt(graphs, columns, moment)}
            onChoose={(time) => (time === null ? shared.choose(null) : chooseTime(time))}
          />
          <GraphTable columns={columns} formats={formats} zone={zone} />
        </>
      )}
    </section>
  )
}
