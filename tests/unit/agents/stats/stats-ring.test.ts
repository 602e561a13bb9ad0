import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { RING_BYTES, StatsRing, type StatsPoint } from '../../../../agents/stats/stats-ring.ts'
import { StatsHistory } from '../../../../src/contracts/panel/stats-history.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-stats-'))
  file = path.join(folder, 'stats.ring')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A whole minute, so that steps begin where the test begins. */
const START = 1_800_000_000_000
const pointOf = (cpu: number, change: Partial<StatsPoint> = {}): StatsPoint => ({
  cpu,
  memory: 1_000_000 + cpu,
  disk: 5_000,
  network: null,
  ...change,
})
const fill = (ring: StatsRing, seconds: number, from = START): number => {
  for (let second = 0; second < seconds; second += 1) ring.add(from + second * 1_000, pointOf(second % 100))
  return from + (seconds - 1) * 1_000
}

describe('history of statistics', () => {
  it('rolls seconds up to the smallest, mean and greatest of 10 s and of a minute [P17]', () => {
    const ring = new StatsRing(file)
    const now = fill(ring, 60)
    const seconds = ring.read({ fromMs: START, step: 1 }, now)
    expect(seconds.times).toEqual(Array.from({ length: 60 }, (_, index) => START / 1_000 + index))
    expect(seconds.cpu.avg[59]).toBe(59)
    const tens = ring.read({ fromMs: START, step: 10 }, now)
    expect(tens.times).toEqual([0, 10, 20, 30, 40, 50].map((second) => START / 1_000 + second))
    expect([tens.cpu.min[1], tens.cpu.avg[1], tens.cpu.max[1]]).toEqual([10, 14.5, 19])
    const minute = ring.read({ fromMs: START, step: 60 }, now)
    expect([minute.cpu.min, minute.cpu.avg, minute.cpu.max]).toEqual([[0], [29.5], [59]])
    expect(minute.memory.max).toEqual([1_000_059])
    expect(minute.network).toBeNull()
    expect(StatsHistory.parse(minute)).toEqual(minute)
  })

  it('goes on within a step after a restart', () => {
    fill(new StatsRing(file), 5)
    const again = new StatsRing(file)
    again.add(START + 5_000, pointOf(100))
    const tens = again.read({ fromMs: START, step: 10 }, START + 5_000)
    expect([tens.cpu.min, tens.cpu.avg, tens.cpu.max]).toEqual([
      [0],
      [(0 + 1 + 2 + 3 + 4 + 100) / 6].map((v) => Math.round(v * 10) / 10),
      [100],
    ])
  })

  it('keeps 10 minutes of seconds, leaves gaps out, and its file never grows', () => {
    const ring = new StatsRing(file)
    const now = fill(ring, 700)
    expect(ring.read({ fromMs: 0, step: 1 }, now).times).toHaveLength(600)
    const later = now + 300_000
    ring.add(later, pointOf(1))
    const { times } = ring.read({ fromMs: 0, step: 1 }, later)
    expect(times[0]).toBe(later / 1_000 - 599)
    expect(times.at(-1)).toBe(later / 1_000)
    expect(times).toHaveLength(301)
    expect(statSync(file).size).toBe(RING_BYTES)
    expect(RING_BYTES).toBeLessThan(512 * 1024)
  })

  it('keeps 24 hours of minutes and forgets what is older', () => {
    const ring = new StatsRing(file)
    for (let minute = 0; minute < 1_500; minute += 1) ring.add(START + minute * 60_000, pointOf(minute))
    const { times, cpu } = ring.read({ fromMs: 0, step: 60 }, START + 1_499 * 60_000)
    expect(times).toHaveLength(1_440)
    expect([cpu.avg[0], cpu.avg.at(-1)]).toEqual([60, 1_499])
  })

  it('tells the network in bytes a second once it was measured', () => {
    const ring = new StatsRing(file)
    ring.add(START, pointOf(1, { network: { received: 10, sent: 2 } }))
    ring.add(START + 1_000, pointOf(1, { network: { received: 30, sent: 4 } }))
    expect(ring.read({ fromMs: START, step: 10 }, START + 1_000).network).toEqual({
      received: { min: [10], avg: [20], max: [30] },
      sent: { min: [2], avg: [3], max: [4] },
    })
  })

  it('begins a damaged file anew and leaves a damaged row out', () => {
    const ring = new StatsRing(file)
    const now = fill(ring, 20)
    const whole = readFileSync(file)
    const handle = openSync(file, 'r+')
    // One byte within the row of the fifth second.
    writeSync(handle, Buffer.from([0x7f]), 0, 1, 64 + ((START / 1_000 + 5) % 600) * 136 + 40)
    closeSync(handle)
    expect(readFileSync(file).equals(whole)).toBe(false)
    const { times } = ring.read({ fromMs: START, step: 1 }, now)
    expect(times).toHaveLength(19)
    expect(times).not.toContain(START / 1_000 + 5)
    truncateSync(file, 1_000)
    expect(ring.read({ fromMs: 0, step: 1 }, now).times).toEqual([])
    ring.add(now + 1_000, pointOf(7))
    expect(ring.read({ fromMs: 0, step: 1 }, now + 1_000).cpu.avg).toEqual([7])
    expect(statSync(file).size).toBe(RING_BYTES)
  })

  it('shows nothing of the future when the clock was set back', () => {
    const ring = new StatsRing(file)
    const now = fill(ring, 10)
    ring.add(START - 3_000, pointOf(3))
    expect(ring.read({ fromMs: 0, step: 1 }, START - 3_000).times).toEqual([START / 1_000 - 3])
    expect(ring.read({ fromMs: 0, step: 1 }, now).times).toHaveLength(11)
  })
})
