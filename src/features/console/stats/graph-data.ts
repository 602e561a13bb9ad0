import type { StatsHistory, StatsStep } from '#contracts/panel/stats-history.ts'
import type { PlayersHistory } from '#contracts/panel/players.ts'
import type { Sample } from './stats-samples.ts'

export const graphRanges = ['minutes', 'hour', 'day'] as const
export type GraphRange = (typeof graphRanges)[number]

/** The length of a range, and the step in which the node keeps that much history. */
export const rangeFacts: Readonly<Record<GraphRange, { seconds: number; step: StatsStep }>> = {
  minutes: { seconds: 600, step: 1 },
  hour: { seconds: 3_600, step: 10 },
  day: { seconds: 86_400, step: 60 },
}

type Values = readonly (number | null)[]
/** Columns of equal length. `times` are epoch seconds; null is an unmeasured time. */
export type GraphColumns = {
  readonly times: readonly number[]
  readonly cpu: Values
  readonly cpuMax: Values
  readonly memory: Values
  readonly disk: Values
  readonly received: Values
  readonly sent: Values
  /** Empty for a server whose players are not counted. */
  readonly players: Values
}

type Row = readonly [
  time: number,
  cpu: number,
  cpuMax: number,
  memory: number,
  disk: number,
  received: number | null,
  sent: number | null,
]

const rowsOfHistory = (history: StatsHistory): Row[] =>
  history.times.map((time, at) => [
    time,
    history.cpu.avg[at] ?? 0,
    history.cpu.max[at] ?? 0,
    history.memory.avg[at] ?? 0,
    history.disk[at] ?? 0,
    history.network?.received.avg[at] ?? null,
    history.network?.sent.avg[at] ?? null,
  ])

const rowOfSample = (sample: Sample): Row => [
  Math.floor(sample.atMs / 1_000),
  sample.cpuPercent,
  sample.cpuPercent,
  sample.memoryBytes,
  sample.diskBytes,
  sample.receivedPerSecond,
  sample.sentPerSecond,
]

type Known = {
  history: StatsHistory | null
  samples: readonly Sample[]
  /** Whether the server's players are counted: then their graph has its place before the first answer. */
  countsPlayers?: boolean
}

const NO_PLAYERS: PlayersHistory = { times: [], online: [], max: [] }

/** A sample may be late: only a longer pause is a gap in the line. */
const holeSteps = 3

/**
 * The data of a range: the node's history, followed by this page's samples. The line is interrupted where several steps
 * were not measured.
 */
export const graphColumns = (known: Known, range: GraphRange, nowMs: number): GraphColumns => {
  const { seconds, step } = rangeFacts[range]
  const fromTime = Math.floor(nowMs / 1_000) - seconds
  const kept = known.history?.step === step ? rowsOfHistory(known.history) : []
  const lastKept = kept.at(-1)?.[0] ?? 0
  const live = known.samples.map(rowOfSample).filter(([time]) => time >= lastKept + step)
  const names = ['cpu', 'cpuMax', 'memory', 'disk', 'received', 'sent'] as const
  const columns = { times: [], cpu: [], cpuMax: [], memory: [], disk: [], received: [], sent: [] } as {
    [Name in (typeof names)[number]]: (number | null)[]
  } & { times: number[] }
  let before: number | undefined
  for (const row of [...kept, ...live]) {
    const [time, ...values] = row
    if (time < fromTime || time === before) continue
    if (before !== undefined && time - before > holeSteps * step) {
      columns.times.push(before + step)
      for (const name of names) columns[name].push(null)
    }
    columns.times.push(time)
    for (const [at, name] of names.entries()) columns[name].push(values[at] ?? null)
    before = time
  }
  const players = known.history?.players ?? (known.countsPlayers ? NO_PLAYERS : null)
  return { ...columns, players: playersColumn(columns.times, players) }
}

/**
 * The players at each time of the columns: those of its minute, or of the one before, because a minute's answer comes after
 * its beginning. Null where the game did not answer; empty without a history.
 */
export const playersColumn = (times: readonly number[], history: PlayersHistory | null): Values => {
  if (history === null) return []
  const online = new Map(history.times.map((time, at) => [time, history.online[at] ?? 0]))
  return times.map((time) => {
    const minute = Math.floor(time / 60) * 60
    return online.get(minute) ?? online.get(minute - 60) ?? null
  })
}

/** The position of the last measurement at or before a time; the first one if all are later. */
export const placeAt = (times: readonly number[], time: number): number => {
  const after = times.findIndex((candidate) => candidate > time)
  return after === -1 ? times.length - 1 : Math.max(0, after - 1)
}

export type GraphSummary = { readonly average: number; readonly highest: number; readonly highestAt: number }

/** The mean and the maximum with its time in seconds; null without measurements. */
export const summaryOf = (times: readonly number[], values: Values): GraphSummary | null => {
  let sum = 0
  let count = 0
  let highest = Number.NEGATIVE_INFINITY
  let highestAt = 0
  for (const [at, value] of values.entries()) {
    if (value === null) continue
    sum += value
    count += 1
    if (value > highest) {
      highest = value
      highestAt = times[at] ?? 0
    }
  }
  return count === 0 ? null : { average: sum / count, highest, highestAt }
}

/** At most `most` positions of the columns, evenly over the time, including the newest: the rows of the table. */
export const tablePlaces = (columns: GraphColumns, most: number): readonly number[] => {
  const measured = columns.times.flatMap((_, at) => (columns.cpu[at] === null ? [] : [at]))
  const stride = Math.max(1, Math.ceil(measured.length / most))
  return measured.filter((_, index) => (measured.length - 1 - index) % stride === 0)
}
