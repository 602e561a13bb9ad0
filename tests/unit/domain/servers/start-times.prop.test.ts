import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptStarts, startProgress, STARTS_KEPT, STARTS_NEEDED, usualStart } from '#domain/servers/start-times.ts'

const duration = fc.integer({ min: 1, max: 3_600_000 })
const starts = fc.array(duration, { maxLength: STARTS_KEPT })
const enough = fc.array(duration, { minLength: STARTS_NEEDED, maxLength: STARTS_KEPT })

test('the newest start is kept as the last one, and never more than nine', () => {
  fc.assert(
    fc.property(starts, duration, (earlier, durationMs) => {
      const kept = keptStarts(earlier, durationMs)
      expect(kept.at(-1)).toBe(durationMs)
      expect(kept.length).toBe(Math.min(earlier.length + 1, STARTS_KEPT))
      expect([...earlier, durationMs].slice(-kept.length)).toEqual(kept)
    }),
  )
})

test('a time that cannot be one changes nothing', () => {
  for (const durationMs of [0, -1, 1.5, Number.NaN, 6 * 3_600_000 + 1]) {
    expect(keptStarts([5, 6], durationMs)).toEqual([5, 6])
  }
})

test('nothing is usual with fewer than three starts', () => {
  expect([usualStart([]), usualStart([5]), usualStart([5, 6])]).toEqual([null, null, null])
})

test('the usual times are times that were seen, in order, whatever the order of the starts', () => {
  fc.assert(
    fc.property(enough, (startsMs) => {
      const usual = usualStart(startsMs)
      if (usual === null) throw new Error('enough starts')
      expect(usual.count).toBe(startsMs.length)
      for (const timeMs of [usual.lowMs, usual.medianMs, usual.highMs]) expect(startsMs).toContain(timeMs)
      expect(usual.lowMs).toBeLessThanOrEqual(usual.medianMs)
      expect(usual.medianMs).toBeLessThanOrEqual(usual.highMs)
      expect(usualStart(startsMs.toReversed())).toEqual(usual)
    }),
  )
})

test('the bar never goes back and is never full, and nothing is left beyond the usual time', () => {
  fc.assert(
    fc.property(enough, duration, duration, (startsMs, one, other) => {
      const usual = usualStart(startsMs)
      const [early, late] = [Math.min(one, other), Math.max(one, other)].map((atMs) => startProgress(atMs, usual))
      if (early?.kind === 'unknown' || late?.kind === 'unknown' || !early || !late) throw new Error('it is usual')
      expect(early.ratio).toBeLessThanOrEqual(late.ratio)
      expect(late.ratio).toBeLessThan(1)
      if (late.kind === 'left') expect(late.leftMs).toBeGreaterThan(0)
      expect(late.kind === 'longer').toBe(Math.max(one, other) >= (usual?.medianMs ?? 0))
    }),
  )
})

test('without a usual time nothing is claimed', () => {
  expect(startProgress(10_000, null)).toEqual({ kind: 'unknown' })
  expect(startProgress(-5, { count: 3, lowMs: 8, medianMs: 10, highMs: 12 })).toEqual({
    kind: 'left',
    leftMs: 10,
    ratio: 0,
  })
})
