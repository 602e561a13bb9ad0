import { expect, test } from 'vitest'
import { drawRunway } from '../../../../src/features/billing/runway-drawing.ts'
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
