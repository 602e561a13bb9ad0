import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FileTrouble } from '../../../../../src/features/files/file-trouble.ts'
import { isReadableLevel, planLevel } from '../../../../../src/features/files/fixes/level-file.ts'
import { moveBack, moveFiles } from '../../../../../src/features/files/fixes/moved-files.ts'

const bytes = (buffer: Buffer) => Uint8Array.from(buffer)
const GOOD = bytes(gzipSync(Buffer.from([10, 0, 0, 10, 0, 4, 68, 97, 116, 97, 0, 0])))
const CUT = GOOD.slice(0, -6)
const NOW = Date.UTC(2026, 10, 29, 9, 5, 7)
const KEPT = 'world/level.dat_corrupt-2026-11-29-090507'

const nodeWith = (start: Record<string, Uint8Array<ArrayBuffer>>) => {
  let version = 0
  const stamp = (content: Uint8Array<ArrayBuffer>) => ({ content, etag: `"${(version += 1)}"` })
  const files = new Map(Object.entries(start).map(([path, content]) => [path, stamp(content)]))
  const move = ({ from, to }: { from: string; to: string }) => {
    const file = files.get(from)
    if (file === undefined) return 'NOT_FOUND'
    if (files.has(to)) return 'ALREADY_EXISTS'
    files.delete(from)
    files.set(to, stamp(file.content))
    return null
  }
  const node: Parameters<typeof planLevel>[0] = {
    read: async (path) => {
      const file = files.get(path)
      if (file === undefined) throw new FileTrouble('NOT_FOUND')
      return { bytes: file.content, etag: file.etag, total: file.content.length, mtimeMs: 0 }
    },
    call: async (_call, input) =>
      ({ refusals: (input as { moves: Parameters<typeof move>[0][] }).moves.map(move) }) as never,
  }
  const content = () => Object.fromEntries([...files].map(([path, file]) => [path, file.content]))
  return { node, content, write: (path: string, text: Uint8Array<ArrayBuffer>) => files.set(path, stamp(text)) }
}
const movesOf = async (node: Parameters<typeof planLevel>[0]) => {
  const plan = await planLevel(node, 'world', NOW)
  if (plan.is !== 'restorable') throw new Error(plan.is)
  return plan.moves
}
const trouble = (code: string) => expect.objectContaining({ code }) as Error

describe('level.dat', () => {
  it('is readable only as a whole archive of a compound', async () => {
    expect(await isReadableLevel(GOOD)).toBe(true)
    const flipped = GOOD.slice()
    flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1
    const others = [CUT, flipped, bytes(Buffer.alloc(0)), bytes(Buffer.alloc(64)), bytes(gzipSync(Buffer.from('text')))]
    for (const other of others) expect(await isReadableLevel(other)).toBe(false)
  })

  it('is restored from the copy, the damaged file is kept, and undo puts both back', async () => {
    const start = { 'world/level.dat': CUT, 'world/level.dat_old': GOOD }
    const { node, content } = nodeWith(start)
    const moved = await moveFiles(node, await movesOf(node))
    expect(content()).toEqual({ [KEPT]: CUT, 'world/level.dat': GOOD })
    await moveBack(node, moved)
    expect(content()).toEqual(start)
  })

  it('is restored where it is missing', async () => {
    const { node, content } = nodeWith({ 'world/level.dat_old': GOOD })
    await moveFiles(node, await movesOf(node))
    expect(content()).toEqual({ 'world/level.dat': GOOD })
  })

  it('stays where it is readable, and where the copy is missing or damaged too', async () => {
    const isOf = async (files: Record<string, Uint8Array<ArrayBuffer>>) =>
      (await planLevel(nodeWith(files).node, 'world', NOW)).is
    expect(await isOf({ 'world/level.dat': GOOD, 'world/level.dat_old': GOOD })).toBe('readable')
    expect(await isOf({ 'world/level.dat': CUT })).toBe('noCopy')
    expect(await isOf({ 'world/level.dat': CUT, 'world/level.dat_old': CUT })).toBe('bothDamaged')
  })
})

describe('moved files', () => {
  it('all have their names again when one of them is refused', async () => {
    const start = { 'world/level.dat': CUT, 'world/level.dat_old': GOOD }
    const { node, content, write } = nodeWith(start)
    const moves = await movesOf(node)
    write(KEPT, GOOD)
    await expect(moveFiles(node, moves)).rejects.toEqual(trouble('ALREADY_EXISTS'))
    expect(content()).toEqual({ ...start, [KEPT]: GOOD })
    const second = nodeWith({ a: CUT, c: GOOD, d: CUT })
    const both = [
      { from: 'a', to: 'b' },
      { from: 'c', to: 'd' },
    ]
    await expect(moveFiles(second.node, both)).rejects.toEqual(trouble('ALREADY_EXISTS'))
    expect(second.content()).toEqual({ a: CUT, c: GOOD, d: CUT })
  })

  it('stay when the game has saved since, or has made the copy again', async () => {
    const { node, content, write } = nodeWith({ 'world/level.dat': CUT, 'world/level.dat_old': GOOD })
    const moved = await moveFiles(node, await movesOf(node))
    write('world/level.dat_old', GOOD)
    await expect(moveBack(node, moved)).rejects.toEqual(trouble('ALREADY_EXISTS'))
    expect(content()).toEqual({ [KEPT]: CUT, 'world/level.dat': GOOD, 'world/level.dat_old': GOOD })
    write('world/level.dat', GOOD)
    await expect(moveBack(node, moved)).rejects.toEqual(trouble('CHANGED'))
  })
})
