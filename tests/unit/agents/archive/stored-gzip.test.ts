import { gunzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import {
  START,
  STORED_BLOCK_BYTES,
  storedGzip,
  storedLength,
  storedOffset,
  type Checkpoint,
} from '../../../../agents/archive/stored-gzip.ts'

const plainOf = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7 + at / 251) & 255))

/** The source in pieces of a length that no block has. */
async function* piecesOf(plain: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < plain.length; at += 10_007) yield plain.subarray(at, at + 10_007)
}

const pack = async (plain: Buffer, from: Checkpoint = START) => {
  const checkpoints: Checkpoint[] = []
  const passed = (at: Checkpoint) => void checkpoints.push(at)
  const pieces: Buffer[] = []
  const source = piecesOf(plain.subarray(from.offset))
  for await (const piece of storedGzip(source, { plainBytes: plain.length, from, passed })) pieces.push(piece)
  return { bytes: Buffer.concat(pieces), checkpoints }
}

describe('a stored gzip stream', () => {
  it.each([1, 512, STORED_BLOCK_BYTES - 1, STORED_BLOCK_BYTES, STORED_BLOCK_BYTES + 1, 300_000])(
    'of %i bytes has the length that was computed, and unpacks to the source',
    async (length) => {
      const plain = plainOf(length)
      const { bytes } = await pack(plain)
      expect(bytes).toHaveLength(storedLength(length))
      expect(gunzipSync(bytes).equals(plain)).toBe(true)
    },
  )

  it('goes on at each checkpoint with the same bytes', async () => {
    const plain = plainOf(300_000)
    const { bytes, checkpoints } = await pack(plain)
    expect(checkpoints).toHaveLength(4)
    for (const from of checkpoints)
      expect((await pack(plain, from)).bytes.equals(bytes.subarray(storedOffset(from)))).toBe(true)
  })

  it('fails when the source ends early, so that a part never looks complete', async () => {
    const short = storedGzip(piecesOf(plainOf(100)), { plainBytes: 200, from: START, passed: () => {} })
    const read = async () => {
      for await (const piece of short) expect(piece.length).toBeGreaterThan(0)
    }
    await expect(read()).rejects.toThrow('The source ended at 100 of 200 bytes.')
  })
})
