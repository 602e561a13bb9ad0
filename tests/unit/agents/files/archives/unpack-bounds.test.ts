import { describe, expect, it } from 'vitest'

import { MAX_ARCHIVE_ENTRIES, RATIO_FLOOR_BYTES } from '#contracts/panel/archive-formats.ts'
import { GrowthBound } from '../../../../../agents/files/growth-bound.ts'
import { UnpackBounds } from '../../../../../agents/files/archives/unpack-bounds.ts'

const code = (run: () => unknown): unknown => {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
const of = (archiveBytes: number, roomBytes = 1e12) => {
  const room = new GrowthBound(() => 0)
  room.measured({ freeBytes: roomBytes, measurement: 1 })
  return new UnpackBounds({ archiveBytes, room })
}

describe('the bounds of an extraction', () => {
  it('decide before anything is unpacked where the archive says what it holds', () => {
    expect(code(() => of(1e9).declared({ entries: MAX_ARCHIVE_ENTRIES + 1, bytes: 0 }))).toBe('ARCHIVE_TOO_MANY')
    expect(code(() => of(1e9).declared({ entries: MAX_ARCHIVE_ENTRIES, bytes: 0 }))).toBeUndefined()
    expect(code(() => of(1e9, 1_000).declared({ entries: 1, bytes: 1_001 }))).toBe('NO_SPACE')
    expect(code(() => of(1e6).declared({ entries: 1, bytes: 1e8 + 1 }))).toBe('ARCHIVE_TOO_DENSE')
  })

  it('count entries, and a block of the disk for each', () => {
    const bounds = of(1e9, 10 * 4_096)
    for (let entry = 1; entry <= 10; entry += 1) expect(code(() => bounds.entry())).toBeUndefined()
    expect(code(() => bounds.entry())).toBe('NO_SPACE')
    const many = of(1e9)
    for (let entry = 1; entry <= MAX_ARCHIVE_ENTRIES; entry += 1) many.entry()
    expect(code(() => many.entry())).toBe('ARCHIVE_TOO_MANY')
  })

  it('stop at a hundred times the archive, above a floor for small ones', () => {
    const bounds = of(1_000_000)
    expect(code(() => bounds.unpacked(100_000_000))).toBeUndefined()
    expect(code(() => bounds.unpacked(1))).toBe('ARCHIVE_TOO_DENSE')
    const small = of(100)
    expect(code(() => small.unpacked(RATIO_FLOOR_BYTES))).toBeUndefined()
    expect(code(() => small.unpacked(1))).toBe('ARCHIVE_TOO_DENSE')
  })

  it('stop at the room, whatever the archive said', () => {
    const bounds = of(1e9, 1_000)
    bounds.stored(1_000)
    expect(code(() => bounds.stored(1))).toBe('NO_SPACE')
  })
})
