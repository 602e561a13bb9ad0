import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureFormat, squareWithin } from '../../../../src/domain/users/picture.ts'

const edge = fc.integer({ min: 1, max: 20_000 })
const anywhere = fc.integer({ min: 0, max: 100_000 })

test('the square lies within the picture and is not empty, whatever is wished for', () => {
  fc.assert(
    fc.property(
      edge,
      edge,
      fc.option(fc.record({ x: anywhere, y: anywhere, size: anywhere })),
      (width, height, wish) => {
        const { x, y, size } = squareWithin({ width, height }, wish)
        expect(size).toBeGreaterThanOrEqual(1)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + size).toBeLessThanOrEqual(width)
        expect(y + size).toBeLessThanOrEqual(height)
      },
    ),
  )
})

test('a wish that fits is kept as it is', () => {
  const wish = { x: 10, y: 20, size: 30 }
  expect(squareWithin({ width: 40, height: 50 }, wish)).toEqual(wish)
})

test('without a wish it is the largest one, around the middle', () => {
  expect(squareWithin({ width: 100, height: 40 }, null)).toEqual({ x: 30, y: 0, size: 40 })
})

test.each([
  ['jpeg', [0xff, 0xd8, 0xff, 0xe0]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
  ['webp', [...Buffer.from('RIFFxxxxWEBPVP8 ')]],
  [null, [...Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]],
  [null, [...Buffer.from('GIF89a')]],
  [null, [...Buffer.from('RIFFxxxxWAVE')]],
  [null, [...Buffer.from('%PDF-1.7')]],
  [null, [0xff, 0xd8]],
  [null, []],
] as const)('first bytes of %s', (format, bytes) => {
  expect(pictureFormat(new Uint8Array(bytes))).toBe(format)
})
