import { describe, expect, it } from 'vitest'
import { fillsWithinADay, fillsWithinAnHour, type StoragePoint } from '../../../../agents/quota/storage-trend.ts'

const HOUR_MS = 3_600_000
const LIMIT = 24_000

/** Points every ten minutes; each number is the growth in the hour that begins there. */
const grown = (from: number, perHour: readonly number[]): StoragePoint[] => {
  const points: StoragePoint[] = [{ atMs: 0, bytes: from }]
  for (const growth of perHour) {
    for (let step = 0; step < 6; step += 1) {
      const { atMs, bytes } = points.at(-1) ?? { atMs: 0, bytes: from }
      points.push({ atMs: atMs + HOUR_MS / 6, bytes: bytes + growth / 6 })
    }
  }
  return points
}

describe('a storage', () => {
  it.each([
    ['that grows by a 24th of its room and more in each hour fills', grown(12_000, [500, 500, 500]), true],
    ['that grows slower does not', grown(12_000, [400, 400, 400]), false],
    [
      'that grew in the last hour alone does not: a world that is generated ends',
      grown(12_000, [0, 0, 0, 0, 600]),
      false,
    ],
    ['that has stopped growing does not', grown(12_000, [3_000, 3_000, 0]), false],
    ['that became smaller does not', grown(23_000, [-2_000]), false],
    ['that is less than half full is not told of', grown(1_000, [3_000, 3_000]), false],
    ['that is full does not fill any more', grown(20_000, [4_000]), false],
    ['that is nearly full and grows slowly fills', grown(23_900, [5]), true],
    ['that is nearly full and does not grow does not', grown(23_900, [0]), false],
  ])('%s', (_title, points, fills) => {
    expect(fillsWithinADay(points, LIMIT)).toBe(fills)
  })

  it('is known for an hour before anything is said of it', () => {
    const points = grown(20_000, [2_000])
    expect(fillsWithinADay(points.slice(0, -1), LIMIT)).toBe(false)
    expect(fillsWithinADay(points, LIMIT)).toBe(true)
    expect(fillsWithinADay([], LIMIT)).toBe(false)
  })

  it('without a limit never fills', () => {
    expect(fillsWithinADay(grown(20_000, [2_000]), 0)).toBe(false)
  })
})

describe('a storage that fills within the first hour', () => {
  const MINUTE_MS = 60_000
  const at = (...points: (readonly [minute: number, bytes: number])[]): StoragePoint[] =>
    points.map(([minute, bytes]) => ({ atMs: minute * MINUTE_MS, bytes }))

  it.each([
    ['is told of once nine tenths are used', at([0, 12_000], [10, 17_000], [20, 22_000]), true],
    ['is told of when it fills in just an hour', at([0, 20_800], [20, 21_801]), true],
    ['is not while it needs more than an hour', at([0, 20_800], [20, 21_600]), false],
    ['is not before nine tenths are used', at([0, 1_000], [20, 21_500]), false],
    ['is not before twenty minutes are known', at([0, 12_000], [19, 22_000]), false],
    ['is not with one measurement', at([0, 22_000]), false],
    ['is not while nothing is known', [], false],
    ['is not any more once it has stopped growing', at([0, 12_000], [10, 22_000], [20, 22_000], [30, 22_000]), false],
    ['is not if it became smaller', at([0, 23_500], [20, 22_000]), false],
    ['is not once it is full', at([0, 12_000], [20, 24_000]), false],
  ])('%s', (_title, points, fills) => {
    expect(fillsWithinAnHour(points, LIMIT)).toBe(fills)
  })

  it('without a limit never fills', () => {
    expect(fillsWithinAnHour(at([0, 12_000], [20, 22_000]), 0)).toBe(false)
  })
})
