import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  labelOf,
  labelRadius,
  pictureOf,
  pointAt,
  sectorPath,
  sectorsOf,
  turnTo,
} from '../../../../src/features/prizes/wheel-geometry.ts'

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

  it('names each sector along its middle, upright, and in a narrow one smaller, but never too small to read', () => {
    expect(labelOf({ id: 'a', startDeg: 45, endDeg: 135 }, 100)).toEqual({
      transform: 'rotate(0)',
      x: 93,
      textAnchor: 'end',
      fontSize: 8,
    })
    const left = labelOf({ id: 'a', startDeg: 268, endDeg: 272 }, 100)
    expect(left).toMatchObject({ transform: 'rotate(360)', x: -93, textAnchor: 'start' })
    expect(left.fontSize).toBeLessThan(labelOf({ id: 'a', startDeg: 260, endDeg: 280 }, 100).fontSize)
    expect(labelOf({ id: 'a', startDeg: 0, endDeg: 0.1 }, 100).fontSize).toBe(4.5)
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

describe('the picture of a sector', () => {
  const wide = { id: 'a', startDeg: 90, endDeg: 150 }

  it('is at the rim of a wide sector, turned with it, and the label begins below', () => {
    const picture = pictureOf(wide, 100)
    expect(picture).toMatchObject({ transform: 'rotate(120)', x: -11, y: -93, width: 22, height: 22 })
    expect(labelRadius(wide, 100)).toBeLessThanOrEqual(100 * 0.82 - 11)
  })

  it('is left out where it would be wider than the sector', () => {
    const narrow = { id: 'a', startDeg: 0, endDeg: 15 }
    expect(pictureOf(narrow, 100)).toBeNull()
    expect(labelRadius(narrow, 100)).toBe(100)
  })
})
