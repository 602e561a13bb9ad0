import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SUMS_AT_ONCE, UPLOAD_PART_BYTES } from '#contracts/panel/uploads.ts'
import { beginsAlike } from '@/features/files/uploads/same-file.ts'

const BYTES = randomBytes(2 * UPLOAD_PART_BYTES + 1_000)

/** A node that has so many of these bytes, and tells as many sums at once. */
const node = (bytes: Buffer, offset: number, atOnce = SUMS_AT_ONCE) => {
  const asked: number[] = []
  const ask = (fromPart: number) => {
    asked.push(fromPart)
    const sums: string[] = []
    for (let at = fromPart * UPLOAD_PART_BYTES; at < offset && sums.length < atOnce; at += UPLOAD_PART_BYTES) {
      const part = bytes.subarray(at, Math.min(at + UPLOAD_PART_BYTES, offset))
      sums.push(createHash('sha256').update(part).digest('base64'))
    }
    return Promise.resolve({ offset, sums })
  }
  return { asked, ask }
}
const changedAt = (at: number): Buffer => {
  const copy = Buffer.from(BYTES)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

it('a file is the same as far as bytes have arrived, and no change before that is overlooked', async () => {
  const offsets = fc.integer({ min: 1, max: BYTES.length })
  const property = fc.asyncProperty(offsets, fc.nat({ max: BYTES.length - 1 }), async (offset, at) => {
    expect(await beginsAlike(new Blob([BYTES]), node(BYTES, offset).ask)).toBe('same')
    const changed = await beginsAlike(new Blob([new Uint8Array(changedAt(at))]), node(BYTES, offset).ask)
    expect(changed).toBe(at < offset ? 'other' : 'same')
  })
  await fc.assert(property, { numRuns: 12 })
})

it('sums are asked for piece by piece, and a first difference is enough', async () => {
  const whole = node(BYTES, BYTES.length, 1)
  expect(await beginsAlike(new Blob([BYTES]), whole.ask)).toBe('same')
  expect(whole.asked).toEqual([0, 1, 2])
  const other = node(BYTES, BYTES.length, 1)
  expect(await beginsAlike(new Blob([new Uint8Array(changedAt(3))]), other.ask)).toBe('other')
  expect(other.asked).toEqual([0])
})

it('nothing that has arrived is in every file', async () => {
  expect(await beginsAlike(new Blob([BYTES]), node(BYTES, 0).ask)).toBe('same')
})
