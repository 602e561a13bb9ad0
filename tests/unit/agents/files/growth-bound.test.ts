import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { GrowthBound } from '../../../../agents/files/growth-bound.ts'

const measured = (freeBytes: number, measurement = 1): GrowthBound => {
  const bound = new GrowthBound(() => 0)
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

  it('counts bytes that were written after a measurement had begun until the next one', () => {
    let nowMs = 10_000
    const bound = new GrowthBound(() => nowMs)
    bound.measured({ freeBytes: 100, measurement: 1, measuredAtMs: 9_000 })
    bound.grow(30)
    nowMs = 20_000
    bound.grow(20)
    // It began at 15,000 and has seen the 30 bytes.
    bound.measured({ freeBytes: 70, measurement: 2, measuredAtMs: 15_000 })
    expect(bound.leftBytes).toBe(50)
    bound.giveBack(5)
    expect(bound.leftBytes).toBe(55)
    bound.measured({ freeBytes: 55, measurement: 3, measuredAtMs: 25_000 })
    expect(bound.leftBytes).toBe(55)
    // Bytes that a measurement has found are not given back twice.
    bound.giveBack(15)
    expect(bound.leftBytes).toBe(55)
  })

  it('counts reserved bytes through each measurement until the work ends, and the written ones after it', async () => {
    let nowMs = 10_000
    const bound = new GrowthBound(() => nowMs)
    bound.measured({ freeBytes: 100, measurement: 1, measuredAtMs: 9_000 })
    const work = bound.within(async (room) => {
      room.reserve(60)
      nowMs = 20_000
      await Promise.resolve()
      bound.measured({ freeBytes: 100, measurement: 2, measuredAtMs: 15_000 })
      expect(bound.leftBytes).toBe(40)
      expect(() => bound.grow(41)).toThrow('NO_SPACE')
    })
    await work
    expect(bound.leftBytes).toBe(40)
    bound.measured({ freeBytes: 40, measurement: 3, measuredAtMs: 21_000 })
    expect(bound.leftBytes).toBe(40)
    const failing = bound.within((room) => {
      room.reserve(40)
      return Promise.reject(new Error('cut'))
    })
    await expect(failing).rejects.toThrow('cut')
    expect(bound.leftBytes).toBe(40)
  })

  it('is given back only as far as it was not measured, and never from other work', async () => {
    let nowMs = 10_000
    const bound = new GrowthBound(() => nowMs)
    bound.measured({ freeBytes: 100, measurement: 1, measuredAtMs: 9_000 })
    bound.grow(30)
    nowMs = 20_000
    bound.measured({ freeBytes: 70, measurement: 2, measuredAtMs: 15_000 })
    await bound.within((room) => Promise.resolve(room.grow(20)))
    // The 30 bytes were measured, and the 20 are on the disk.
    bound.giveBack(30)
    expect(bound.leftBytes).toBe(50)
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

describe('the reserve of the disk', () => {
  const onDisk = (diskFree: { bytes: number }, reserveBytes?: number): GrowthBound => {
    const bound = new GrowthBound(
      () => 0,
      () => diskFree.bytes,
    )
    bound.measured({ freeBytes: 1_000, measurement: 1, ...(reserveBytes === undefined ? {} : { reserveBytes }) })
    return bound
  }

  it('is left by everything that grows, as the disk is at that moment', () => {
    const disk = { bytes: 150 }
    const bound = onDisk(disk, 100)
    bound.grow(50)
    expect(() => bound.grow(51)).toThrow('NODE_FULL')
    disk.bytes = 120
    expect(() => bound.grow(21)).toThrow('NODE_FULL')
    expect(() => bound.refuseFullDisk(20)).not.toThrow()
    expect(bound.leftBytes).toBe(950)
  })

  it('lets through what does not grow, where other servers have taken some of it', () => {
    const bound = onDisk({ bytes: 50 }, 100)
    expect(() => bound.grow(0)).not.toThrow()
    expect(() => bound.refuseFullDisk(0)).not.toThrow()
    expect(() => bound.grow(1)).toThrow('NODE_FULL')
  })

  it('does not bind a server with a disk of its own, whose storage is named first', () => {
    const bound = onDisk({ bytes: 0 })
    bound.grow(1_000)
    expect(() => bound.grow(1)).toThrow('NO_SPACE')
    expect(() => onDisk({ bytes: 0 }, 100).grow(1_001)).toThrow('NO_SPACE')
  })
})
