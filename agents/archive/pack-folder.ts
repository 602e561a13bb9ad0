import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { entriesOf } from './folder-entries.ts'
import { HeldFolder } from '../platform/held-folder.ts'
import { paddingOf, tarHeader } from './tar-header.ts'

const CHUNK_BYTES = 256 * 1024
/** Room at the end of every archive for the list of omissions, whose length is known only then. */
const LEFT_OUT_BYTES = 64 * 1024
/** The end of an archive: two empty blocks. */
const END_BYTES = 1_024

/** An archive before it is read. */
export interface PackPlan {
  readonly bytes: number
  /** Changes with every change of the folder. */
  readonly mark: string
}

const rootName = (name: string): { readonly name: Buffer; readonly depth: number } => ({
  name: Buffer.from(name),
  depth: 0,
})

/** Whether `packFolder` would find the folder. */
export const isThere = async (root: string): Promise<boolean> => {
  const folder = await HeldFolder.open(root).catch(() => undefined)
  await folder?.close()
  return folder !== undefined
}

/** The length and the mark of a folder's archive. Reads no file. Throws the disk's error when there is no such folder. */
export const planPack = async (root: string, name: string): Promise<PackPlan> => {
  const folder = await HeldFolder.open(root)
  const hash = createHash('sha256')
  let bytes = LEFT_OUT_BYTES + END_BYTES
  try {
    for await (const found of entriesOf(folder, rootName(name))) {
      if (found.is === 'left out') continue
      const header = tarHeader(found.entry)
      hash.update(header).update(`${found.stats.ino} ${found.stats.ctimeMs} ${found.stats.mtimeMs}\n`)
      bytes += header.length + found.entry.size + paddingOf(found.entry.size)
    }
  } finally {
    await folder.close()
  }
  return { bytes, mark: hash.digest('base64url').slice(0, 22) }
}

/** Writes one folder into one archive, entry by entry, without the bytes before `from`. */
class Packing {
  readonly #leftOut: Buffer[] = []
  #leftOutBytes = 0
  #skip: number
  #left: number

  constructor(bytes: number, from: number) {
    this.#skip = from
    this.#left = bytes
  }

  async *run(folder: HeldFolder, name: string): AsyncGenerator<Buffer> {
    for await (const found of entriesOf(folder, rootName(name))) {
      if (found.is === 'left out') {
        // Nobody misses a socket.
        if (found.why !== 'special') this.#leaveOut(found.name)
      } else {
        yield* this.#emit(tarHeader(found.entry))
        if (found.entry.size > 0) yield* this.#content(found.entry.name, found.entry.size, found.open)
      }
    }
    if (this.#leftOut.length > 0) yield* this.#tell(Buffer.from(`${name}-left-out.txt`))
    // Readers stop at the first empty blocks.
    while (this.#left > 0) yield* this.#emit(Buffer.alloc(Math.min(this.#left, CHUNK_BYTES)))
  }

  *#emit(piece: Buffer): Generator<Buffer> {
    if (piece.length > this.#left) throw new Error('The folder grew while it was read.')
    this.#left -= piece.length
    const skipped = Math.min(this.#skip, piece.length)
    this.#skip -= skipped
    if (skipped < piece.length) yield piece.subarray(skipped)
  }

  /** Exactly as many bytes as in the header: a file that shrank or vanished ends in zeros, a grown one is cut. */
  async *#content(name: Buffer, size: number, open: () => Promise<FileHandle | undefined>): AsyncGenerator<Buffer> {
    const whole = size + paddingOf(size)
    if (this.#skip >= whole) {
      this.#skip -= whole
      this.#left -= whole
      return
    }
    const file = await open().catch(() => undefined)
    let at = Math.min(this.#skip, size)
    this.#skip -= at
    this.#left -= at
    try {
      while (file !== undefined && at < size) {
        // Each chunk waits in a stream until it is read, so every chunk needs its own buffer.
        const piece = Buffer.allocUnsafe(Math.min(size - at, CHUNK_BYTES))
        const { bytesRead } = await file.read(piece, 0, piece.length, at).catch(() => ({ bytesRead: 0 }))
        if (bytesRead === 0) break
        at += bytesRead
        yield* this.#emit(piece.subarray(0, bytesRead))
      }
    } finally {
      await file?.close()
    }
    if (at < size) this.#leaveOut(Buffer.concat([name, Buffer.from(` (the last ${size - at} bytes)`)]))
    for (let left = whole - at; left > 0; left -= CHUNK_BYTES)
      yield* this.#emit(Buffer.alloc(Math.min(left, CHUNK_BYTES)))
  }

  #leaveOut(name: Buffer): void {
    // The list is one entry with its header, and has to fit its room.
    if (this.#leftOutBytes + name.length + 2 * END_BYTES > LEFT_OUT_BYTES) return
    this.#leftOut.push(name)
    this.#leftOutBytes += name.length + 1
  }

  *#tell(name: Buffer): Generator<Buffer> {
    const text = Buffer.concat(this.#leftOut.flatMap((each) => [each, Buffer.from('\n')]))
    yield* this.#emit(tarHeader({ name, type: 'file', size: text.length, mode: 0o644, mtimeSeconds: 0 }))
    yield* this.#emit(Buffer.concat([text, Buffer.alloc(paddingOf(text.length))]))
  }
}

/**
 * A folder as a tar archive of exactly `bytes` bytes, below a folder of the given name, from the byte `from` on. Names
 * and targets of links are stored byte for byte, and links are never followed; unreadable files are listed in
 * `<name>-left-out.txt`. Memory use does not depend on the content. Throws the disk's error when there is no such folder.
 */
export async function* packFolder(
  root: string,
  name: string,
  { bytes, from }: { readonly bytes: number; readonly from: number },
): AsyncGenerator<Buffer> {
  const folder = await HeldFolder.open(root)
  try {
    yield* new Packing(bytes, from).run(folder, name)
  } finally {
    await folder.close()
  }
}
