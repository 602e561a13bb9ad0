import { createHash } from 'node:crypto'
import { entriesOf, type FolderEntry } from '../../archive/folder-entries.ts'
import type { Place } from '../server-root.ts'

const TOP = { name: Buffer.alloc(0), depth: 0 }
const SLASH = '/'.charCodeAt(0)

/** A file or folder with everything in it, as archives see it. */
export const treeOf = ({ folder, name }: Place): AsyncIterable<FolderEntry> => entriesOf(folder, TOP, [name])

/**
 * The state of a file or folder with everything in it: another mark after every change. It says nothing of the thing's own name and
 * folder, nor of the times that change with them, so that it stays the same when the thing is moved.
 */
export class TreeMark {
  readonly #hash = createHash('sha256')

  add(found: FolderEntry): void {
    const name = found.is === 'entry' ? found.entry.name : found.name
    const at = name.indexOf(SLASH)
    const below = at < 0 ? Buffer.alloc(0) : name.subarray(at + 1)
    this.#hash.update(below).update('\0')
    if (found.is === 'left out') return
    const { ino, mode, size, mtimeMs, ctimeMs } = found.stats
    const isTop = below.length === 0
    const times = found.entry.type === 'directory' && isTop ? [] : [size, mtimeMs, ...(isTop ? [] : [ctimeMs])]
    this.#hash.update(JSON.stringify([ino, mode, ...times]))
  }

  get value(): string {
    return this.#hash.copy().digest('base64url')
  }
}

/** The mark of what has this place now. */
export const markOf = async (place: Place): Promise<string> => {
  const mark = new TreeMark()
  for await (const found of treeOf(place)) mark.add(found)
  return mark.value
}
