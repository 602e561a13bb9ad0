import { describe, expect, it } from 'vitest'
import { EDITABLE_BYTES } from '#contracts/panel/node-files.ts'
import { piecesAround, readOpenFile } from '@/features/files/editor/use-open-file.ts'
import type { Files } from '@/features/files/files-context.tsx'

const PIECE = EDITABLE_BYTES

describe('the pieces of a large file', () => {
  it.each([
    ['the first', 0, { first: 0, previous: 0, next: PIECE, last: 2 * PIECE + 5 }],
    ['one in the middle', PIECE, { first: 0, previous: 0, next: 2 * PIECE, last: 2 * PIECE + 5 }],
    ['the last but one', 2 * PIECE, { first: 0, previous: PIECE, next: 2 * PIECE + 5, last: 2 * PIECE + 5 }],
    ['the last', 2 * PIECE + 5, { first: 0, previous: PIECE + 5, next: 2 * PIECE + 5, last: 2 * PIECE + 5 }],
  ])('around %s', (_which, from, expected) => {
    expect(piecesAround({ from, total: 3 * PIECE + 5 })).toEqual(expected)
  })

  it('together are the file, and only the one that is the whole file can be changed', async () => {
    const all = new TextEncoder().encode('é'.repeat(PIECE))
    const read = (_path: string, { from, limit }: { from: number; limit: number }) =>
      Promise.resolve({ bytes: all.subarray(from, from + limit), etag: '"1"', total: all.length, mtimeMs: 5 })
    const files = { node: { read } } as unknown as Files
    const first = await readOpenFile(files, { path: 'a.log' })
    expect(first).toMatchObject({ from: 0, to: PIECE, isWhole: false, total: all.length, mtimeMs: 5 })
    const second = await readOpenFile(files, { path: 'a.log', from: PIECE })
    expect(second).toMatchObject({ from: PIECE, to: 2 * PIECE, isWhole: false })
    // It begins in the middle of a character, which neither of the two shows.
    const odd = await readOpenFile(files, { path: 'a.log', from: PIECE - 1 })
    expect(odd.content).toEqual({ kind: 'text', text: 'é'.repeat(PIECE / 2 - 1), lineBreak: '\n' })
    const small = { node: { read: () => read('', { from: 0, limit: 4 }).then((it) => ({ ...it, total: 4 })) } }
    expect((await readOpenFile(small as unknown as Files, { path: 'a.log' })).isWhole).toBe(true)
  })
})
