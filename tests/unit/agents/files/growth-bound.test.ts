import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { GrowthBound } from '../../../../agents/files/growth-bound.ts'

const measured = (freeBytes: number, measurement = 1): GrowthBound => {
  const bound = new GrowthBound()
  bound.measured({ freeBytes, measurement })
  return bound
}

describe('the storage that is left', () => {
  it('is shared by everything that grows between two measurements', () => {
    const bound = measured(100)
    bound.grow(60)
    expect(() => bound.grow(41)).toThrow('NO_SPACE')
    bound.grow(40)
    expect(bound.leftBytes).toBe(0)
  })

  it('is new with a new measurement, also with one that found the same bytes', () => {
    const bound = measured(100)
    bound.grow(100)
    bound.measured({ freeBytes: 100, measurement: 1 })
    expect(bound.leftBytes).toBe(0)
    bound.measured({ freeBytes: 100, measurement: 2 })
    expect(bound.leftBytes).toBe(100)
    // The storage of the package has changed; what had grown still counts.
    bound.grow(30)
    bound.measured({ freeBytes: 200, measurement: 2 })
    expect(bound.leftBytes).toBe(170)
  })

  it('is given back by work that fails, and not by work that succeeds', async () => {
    const bound = measured(100)
    await bound.within((room) => Promise.resolve(room.grow(30)))
    const failing = bound.within((room) => {
      room.grow(50)
      return Promise.reject(new Error('cut'))
    })
    await expect(failing).rejects.toThrow('cut')
    expect(bound.leftBytes).toBe(70)
  })

  it('is never exceeded, whatever succeeds, fails and comes in between', async () => {
    const step = fc.record({ bytes: fc.nat(60), fails: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const bound = measured(100)
        let kept = 0
        for (const { bytes, fails } of steps) {
          const work = bound.within((room) => {
            room.grow(bytes)
            return fails ? Promise.reject(new Error('failed')) : Promise.resolve()
          })
          await work.then(
            () => (kept += bytes),
            () => {},
          )
        }
        expect([kept <= 100, bound.leftBytes]).toEqual([true, 100 - kept])
      }),
    )
  })
})
