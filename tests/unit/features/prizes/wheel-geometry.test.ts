import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointAt, sectorPath, sectorsOf, turnTo } from '../../../../src/features/prizes/wheel-geometry.ts'

describe('the wheel as it is drawn', () => {
  it('gives each prize its share of the whole turn, in order', () => {
    const sectors = sectorsOf([
      { id: 'a', basisPoints: 2500 },
      { id: 'b', basisPoints: 7500 },
    ])
    expect(sectors).toEqual([
      { id: 'a', startDeg: 0, endDeg: 90 },
      { id: 'b', startDeg: 90, endDeg: 360 },
    ])
    expect(pointAt(90, 10)).toEqual({ x: 10, y: 0 })
    expect(sectorPath({ id: 'a', startDeg: 0, endDeg: 90 }, 10)).toBe('M0 0L0 -10A10 10 0 0 1 10 0Z')
    expect(sectorPath({ id: 'a', startDeg: 0, endDeg: 360 }, 10)).not.toContain('L')
  })

  it('stops with the middle of the drawn sector under the mark, always forward', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 359 }), (nowDeg, startDeg) => {
        const turned = turnTo({ id: 'a', startDeg, endDeg: startDeg + 1 }, nowDeg)
        expect(turned - nowDeg).toBeGreaterThanOrEqual(360)
        expect((turned + startDeg + 0.5) % 360).toBeCloseTo(0)
      }),
    )
  })
})
