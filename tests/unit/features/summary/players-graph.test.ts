import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { playersGraph } from '../../../../src/features/summary/players-graph.ts'

describe('the line', () => {
  it('joins days that follow one another, and the way to today is a path of its own', () => {
    const { past, today, points } = playersGraph([10, 20, 30])
    expect(points.map(({ x }) => x)).toEqual([16.67, 50, 83.33])
    expect(past).toBe(`M16.67 ${points[0]?.y}L50 ${points[1]?.y}`)
    expect(today).toBe(`M50 ${points[1]?.y}L83.33 ${points[2]?.y}`)
  })

  it('has a gap where a day is unknown', () => {
    const { past, today, points } = playersGraph([10, null, 30, 5])
    expect(points.map(({ at }) => at)).toEqual([0, 2, 3])
    expect([past, today !== '']).toEqual(['', true])
  })

  it('a single known day is a point without a line', () => {
    const { past, today, points } = playersGraph([null, null, 4])
    expect([past, today, points.length]).toEqual(['', '', 1])
  })

  it('without players it lies on the ground', () => {
    expect(playersGraph([0, 0]).points.map(({ y }) => y)).toEqual([100, 100])
  })
})

it.each([
  [[61], [20, 40]],
  [[100], [50, 100]],
  [[7], [2, 4]],
  [[1], [1]],
  [[0], [1]],
])('the ticks of %j are %j', (values, ticks) => {
  expect(playersGraph(values).ticks.map(({ value }) => value)).toEqual(ticks)
})

it('every value and tick stands within the drawing, with room for the number above', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(2_000_000)), { minLength: 1, maxLength: 7 }), (values) => {
      const { points, ticks } = playersGraph(values)
      expect(points).toHaveLength(values.filter((value) => value !== null).length)
      for (const { y } of [...points, ...ticks]) {
        expect(y).toBeGreaterThanOrEqual(19)
        expect(y).toBeLessThanOrEqual(100)
      }
    }),
  )
})
