import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blocksOf } from '../../../../agents/archive/blocks.ts'

const PIECE_BYTES = 64 * 1024

const piecesOf = async (source: readonly Buffer[]): Promise<Buffer[]> => {
  const pieces: Buffer[] = []
  for await (const piece of blocksOf(
    (async function* () {
      yield* source
    })(),
    PIECE_BYTES,
  ))
    pieces.push(piece)
  return pieces
}

it('the bytes stay the same, and every block but the last has the size', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(600), fc.nat(3 * PIECE_BYTES)), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const source = lengths.map((length, index) => Buffer.alloc(length, index % 251))
      const pieces = await piecesOf(source)
      expect(Buffer.concat(pieces).equals(Buffer.concat(source))).toBe(true)
      for (const piece of pieces.slice(0, -1)) expect(piece.length).toBe(PIECE_BYTES)
      expect(pieces.every((piece) => piece.length > 0)).toBe(true)
    }),
    { numRuns: 100 },
  )
})

it('a failure of the source comes after what was before it', async () => {
  const failing = async function* () {
    yield Buffer.alloc(PIECE_BYTES)
    throw new Error('gone')
  }
  const seen: number[] = []
  const reading = async () => {
    for await (const piece of blocksOf(failing(), PIECE_BYTES)) seen.push(piece.length)
  }
  await expect(reading()).rejects.toThrow('gone')
  expect(seen).toEqual([PIECE_BYTES])
})
