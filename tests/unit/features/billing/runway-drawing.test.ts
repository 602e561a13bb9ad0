import { expect, test } from 'vitest'
import { drawRunway, isWorthDrawing } from '../../../../src/features/billing/runway-drawing.ts'
import { runwayOf } from '../../../../src/features/billing/runway.ts'

const day = 24 * 60 * 60 * 1_000
const nowMs = Date.UTC(2026, 10, 20)
const server = (id: string, days: number, monthlyPriceFt: number) => ({
  id,
  name: id,
  identifier: id,
  expiry: new Date(nowMs + days * day).toISOString(),
  monthlyPriceFt,
})
const servers = [server('a', 3, 1_000), server('b', 15, 1_000), server('c', 15.3, 500)]
const draw = (balanceFt: number, extraFt = 0) =>
  drawRunway(runwayOf(balanceFt, servers, { nowMs, days: 30 }), { balanceFt, extraFt, nowMs, days: 30 })

test('a balance that covers all is one line of steps to the end, and zero is its floor', () => {
  const { covered, missing, topped, zeroPercent } = draw(5_000)
  expect(covered).toBe('M0 14H100V27.2H500V40.4H510V47H1000')
  expect([missing, topped, zeroPercent]).toEqual([null, null, 80])
})

test('where it runs out the line goes down to zero, and what is missing goes on from there', () => {
  const { covered, missing, zeroPercent, endPercent } = draw(1_000)
  expect(zeroPercent).toBe(40.4)
  expect(covered).toBe('M0 14H100V40.4H500V40.4')
  expect(missing).toBe('M500 40.4H500V66.8H510V80H1000')
  expect(endPercent).toBe(80)
})

test('a top-up that is being typed lies above the line, the whole way', () => {
  const { topped, startPercent, toppedStartPercent } = draw(1_000, 2_000)
  expect(topped).toMatch(/^M0 14H100V.*H1000$/)
  expect(toppedStartPercent).toBe(14)
  expect(startPercent).toBeGreaterThan(toppedStartPercent)
})

test('a drawing is worth its space if the balance runs out or steps at different times', () => {
  const worth = (balanceFt: number, owned: typeof servers) =>
    isWorthDrawing(runwayOf(balanceFt, owned, { nowMs, days: 30 }))
  expect(worth(5_000, servers)).toBe(true)
  expect(worth(5_000, [server('a', 29, 1_000)])).toBe(false)
  expect(worth(5_000, [server('a', 29, 1_000), server('b', 29, 1_000)])).toBe(false)
  expect(worth(5_000, [])).toBe(false)
  expect(worth(500, [server('a', 29, 1_000)])).toBe(true)
})

test('dates of a phone do not lie upon one another, nor upon the word for today', () => {
  const dues = Array.from({ length: 30 }, (_, at) => server(`s${at}`, at + 1, 10))
  const { stops } = drawRunway(runwayOf(5_000, dues, { nowMs, days: 30 }), {
    balanceFt: 5_000,
    extraFt: 0,
    nowMs,
    days: 32,
  })
  const dates = stops.filter(({ hasDate }) => hasDate).map(({ xPercent }) => xPercent)
  const plates = stops.map(({ xPercent }) => xPercent)
  const gaps = (all: readonly number[]) => all.slice(1).map((at, index) => at - (all[index] ?? 0))
  // A date is up to 56 of 320 pixels wide, a plate up to 28.
  expect(Math.min(dates[0] ?? 0, ...gaps(dates))).toBeGreaterThanOrEqual(17.5)
  expect(Math.min(...gaps(plates))).toBeGreaterThanOrEqual(9)
})

test('plates that would lie upon one another are left out, and what is overdue stands at today', () => {
  expect(draw(5_000).stops.map(({ id, xPercent }) => [id, xPercent])).toEqual([
    ['a', 10],
    ['b', 50],
  ])
  const runway = runwayOf(0, [server('late', -2, 900)], { nowMs, days: 30 })
  expect(drawRunway(runway, { balanceFt: 0, extraFt: 0, nowMs, days: 30 }).stops[0]).toMatchObject({
    xPercent: 0,
    hasDate: false,
  })
})
