import type { FileHandle } from 'node:fs/promises'
import type { HeldFolder } from '../../platform/held-folder.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import type { EntryPlace } from './entry-place.ts'
import type { LeftOutList } from './left-out-list.ts'
import { PrivateTree } from './private-tree.ts'
import type { UnpackBounds } from './unpack-bounds.ts'

/** One unpacking while it runs. */
export interface Unpacking {
  readonly bounds: Pick<UnpackBounds, 'entry' | 'stored'>
  readonly leftOut: LeftOutList
  /** Where an entry belongs, by its name. */
  placeOf(name: string): EntryPlace
  /** Whether the bytes of each file are on the disk before the next one. */
  readonly isDurable?: boolean
}

/** Writes files and folders into a new folder that nobody else sees. Links and everything special are left out. */
export const unpackEntries = async (
  entries: AsyncIterable<ArchiveEntry>,
  content: HeldFolder,
  unpacking: Unpacking,
): Promise<void> => {
  const { bounds, leftOut, placeOf } = unpacking
  const tree = new PrivateTree(content)
  try {
    for await (const entry of entries) {
      bounds.entry()
      const { name, kind, mode, mtimeMs } = entry
      const place = placeOf(name)
      if (place.is === 'left out') leftOut.add(name, place.why)
      else if (kind === 'link' || kind === 'special') leftOut.add(name, kind)
      else if (place.parts.length > 0) {
        const facts = { parts: place.parts, ...(mode === undefined ? {} : { mode }), ...(mtimeMs ? { mtimeMs } : {}) }
        const isKept =
          kind === 'folder' ? await tree.folder(facts) : await tree.file(facts, (file) => write(entry, file, unpacking))
        if (!isKept) leftOut.add(name, 'exists')
      }
    }
  } finally {
    await tree.close()
  }
}

const write = async (entry: ArchiveEntry, file: FileHandle, { bounds, isDurable }: Unpacking): Promise<void> => {
  for await (const piece of entry.content()) {
    bounds.stored(piece.length)
    await file.writeFile(piece)
  }
  if (isDurable) await file.datasync()
}
