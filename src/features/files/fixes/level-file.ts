import { joinPath } from '#contracts/panel/file-path.ts'
import { keptPath } from '#domain/known-errors/world-files.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { FileMove, MovingNode } from './moved-files.ts'

/** The tag of a compound, with which Minecraft's data begins (https://minecraft.wiki/w/NBT_format). */
const COMPOUND = 10
/** Mods make it large, but not larger. */
const MAX_BYTES = 16_777_216
const MAX_PLAIN_BYTES = 134_217_728

/** Whether these bytes are a whole gzip archive of Minecraft's data. */
export const isReadableLevel = async (bytes: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  try {
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    let first: number | undefined
    let length = 0
    const reader = plain.getReader()
    // Its checksum stands at its end: only who reads it all knows.
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      first ??= part.value[0]
      length += part.value.length
      if (length > MAX_PLAIN_BYTES) return false
    }
    return first === COMPOUND
  } catch {
    return false
  }
}

const isReadable = async (node: MovingNode, path: string): Promise<boolean | undefined> => {
  try {
    const { bytes, total } = await node.read(path, { from: 0, limit: MAX_BYTES })
    if (total > MAX_BYTES) throw new FileTrouble('TOO_LARGE')
    return await isReadableLevel(bytes)
  } catch (error) {
    if (error instanceof FileTrouble && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** The plan for a world's level.dat; `moves` puts the copy in its place and keeps the damaged file. */
export type LevelPlan =
  | { readonly is: 'restorable'; readonly path: string; readonly kept: string; readonly moves: readonly FileMove[] }
  | { readonly is: 'readable' | 'noCopy' | 'bothDamaged' }

/** Looks at a world's level.dat and at the game's copy of it. */
export const planLevel = async (node: MovingNode, folder: string, nowMs: number): Promise<LevelPlan> => {
  const path = joinPath(folder, 'level.dat')
  const copy = joinPath(folder, 'level.dat_old')
  const present = await isReadable(node, path)
  if (present === true) return { is: 'readable' }
  const earlier = await isReadable(node, copy)
  if (earlier === undefined) return { is: 'noCopy' }
  if (!earlier) return { is: 'bothDamaged' }
  const kept = keptPath(path, nowMs)
  const aside = present === undefined ? [] : [{ from: path, to: kept }]
  return { is: 'restorable', path, kept, moves: [...aside, { from: copy, to: path }] }
}
