import { expect, test } from 'vitest'
import type { StatsHistory } from '#contracts/panel/stats-history.ts'
import { graphColumns, placeAt, summaryOf, tablePlaces } from '../../../../../src/features/console/stats/graph-data.ts'
import { withEarlier } from '../../../../../src/features/console/stats/stats-samples.ts'
import type { Sample } from '../../../../../src/features/console/stats/stats-samples.ts'

const spread = (values: number[]) => ({ min: values, avg: values, max: values.map((value) => value * 2) })
const history = (step: 1 | 10 | 60, times: number[]): StatsHistory => ({
  step,
  fromMs: 0,
  times,
  cpu: spread(times),
  memory: spread(times),
  disk: times,
  network: null,
})
const sample = (time: number): Sample => ({
  atMs: time * 1_000,
  cpuPercent: time,
  memoryBytes: 1,
  diskBytes: 2,
  receivedPerSecond: 3,
  sentPerSecond: null,
})

test('the node’s history comes first and the page’s own looks after it, each second once', () => {
  const samples = [sample(1_001), sample(1_002), sample(1_003)]
  const columns = graphColumns({ history: history(1, [1_000, 1_001, 1_002]), samples }, 'minutes', 1_003_000)
  expect(columns.times).toEqual([1_000, 1_001, 1_002, 1_003])
  expect(columns.cpuMax).toEqual([2_000, 2_002, 2_004, 1_003])
  expect(columns.received).toEqual([null, null, null, 3])
})

test('history of another step is not mixed in', () => {
  const columns = graphColumns({ history: history(60, [600, 660]), samples: [sample(700)] }, 'minutes', 700_000)
  expect(columns.times).toEqual([700])
})

test('a value that is older than the range is left out, and a pause interrupts the line', () => {
  const columns = graphColumns({ history: history(1, [100, 1_000, 1_001, 1_020]), samples: [] }, 'minutes', 1_020_000)
  expect(columns.times).toEqual([1_000, 1_001, 1_002, 1_020])
  expect(columns.cpu).toEqual([1_000, 1_001, null, 1_020])
})

test('the sentence of a graph', () => {
  expect(summaryOf([1, 2, 3, 4], [2, null, 6, 4])).toEqual({ average: 4, highest: 6, highestAt: 3 })
  expect(summaryOf([1], [null])).toBeNull()
})

test('the table has few rows, measured ones alone, the newest among them', () => {
  const columns = graphColumns({ history: history(1, [1, 2, 3, 4, 5, 60, 61]), samples: [] }, 'minutes', 61_000)
  const places = tablePlaces(columns, 3)
  expect(places.length).toBeLessThanOrEqual(3)
  expect(columns.times[places.at(-1) ?? -1]).toBe(61)
  expect(places.every((at) => columns.cpu[at] !== null)).toBe(true)
})

test('values that the node measured before the page came stand in front of the page’s own looks', () => {
  const samples = withEarlier([sample(1_002)], history(1, [1_000, 1_001, 1_002]))
  expect(samples.map(({ atMs }) => atMs)).toEqual([1_000_000, 1_001_000, 1_002_000])
  expect(withEarlier([], history(60, [60, 120]))).toEqual([])
})

test('players stand at every time of their minute, and in the next one until it has its own', () => {
  const players = { times: [960, 1_020, 1_200], online: [3, 4, 0], max: [20, 20, 20] }
  const known = { history: { ...history(1, [1_000, 1_030, 1_085, 1_145, 1_201]), players }, samples: [] }
  const columns = graphColumns(known, 'minutes', 1_201_000)
  expect(columns.times.map((time, at) => [time, columns.players[at]])).toEqual([
    [1_000, 3],
    [1_001, 3],
    [1_030, 4],
    [1_031, 4],
    [1_085, 4],
    [1_086, 4],
    [1_145, null],
    [1_146, null],
    [1_201, 0],
  ])
})

test('a node that counts no players, or is older, gives no column', () => {
  for (const players of [null, undefined]) {
    const kept = { ...history(1, [1_000, 1_001]), ...(players === undefined ? {} : { players }) }
    expect(graphColumns({ history: kept, samples: [] }, 'minutes', 1_001_000).players).toEqual([])
  }
})

test('the place of a time is its last measurement', () => {
  const places = [5, 10, 14, 15, 99].map((time) => placeAt([10, 12, 15], time))
  expect(places).toEqual([0, 0, 1, 2, 2])
})

test('a server whose players are counted has their graph before the first of them is known', () => {
  const known = { history: null, samples: [sample(1_000), sample(1_001)] }
  expect(graphColumns({ ...known, countsPlayers: true }, 'minutes', 1_001_000).players).toEqual([null, null])
  expect(graphColumns({ ...known, countsPlayers: false }, 'minutes', 1_001_000).players).toEqual([])
  const kept = { ...history(1, [1_000]), players: null }
  const late = graphColumns({ history: kept, samples: [], countsPlayers: true }, 'minutes', 1_001_000)
  expect(late.players).toEqual([null])
})
