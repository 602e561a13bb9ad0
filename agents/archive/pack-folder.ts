import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createTarPacker, type TarHeader } from 'modern-tar'
import { HeldFolder } from './held-folder.ts'

const CHUNK_BYTES = 256 * 1024
/** Each level keeps its folder open. No game needs more. */
const MAX_DEPTH = 100
/** The largest time that every archive reader supports. */
const MAX_MTIME_S = 2 ** 31 - 1
/** The maximum number of listed omissions, which bounds the memory of the list. */
const MAX_TOLD = 1_000
const PERMISSIONS = 0o777

export interface PackedFolder {
  /** The uncompressed archive. It is read at any speed; destroying it closes every file. */
  readonly archive: Readable
  /** Settles once everything is closed; never rejects. */
  readonly closed: Promise<void>
}

/** Archive names are text: in a name that is not UTF-8, each byte outside ASCII becomes `%` and two digits. */
const textOf = (name: Buffer): string =>
  isUtf8(name)
    ? name.toString()
    : name.toString('latin1').replaceAll(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)

const isAscii = (text: string): boolean => /^[\0-\u007F]*$/.test(text)

/** Plain headers declare no encoding, extended ones are UTF-8 by definition. */
const headerOf = (name: string, stats: Stats, more: Partial<TarHeader>): TarHeader => ({
  name,
  size: 0,
  mode: stats.mode & PERMISSIONS,
  mtime: new Date(Math.min(Math.max(0, Math.floor(stats.mtimeMs / 1_000)), MAX_MTIME_S) * 1_000),
  uid: 0,
  gid: 0,
  ...(isAscii(name) ? {} : { pax: { path: name } }),
  ...more,
})

/** Writes one folder into one archive, entry by entry. */
class Packing {
  readonly packer = createTarPacker()
  readonly #leftOut: string[] = []

  async run(folder: HeldFolder, name: string): Promise<void> {
    try {
      await this.#folder(folder, { name, depth: 0 })
    } finally {
      await folder.close()
    }
    if (this.#leftOut.length > 0) await this.#tell(`${name}-left-out.txt`)
    this.packer.controller.finalize()
  }

  async #folder(folder: HeldFolder, at: { readonly name: string; readonly depth: number }): Promise<void> {
    for await (const bytes of folder.names()) {
      const name = `${at.name}/${textOf(bytes)}`
      // A file removed meanwhile no longer exists, and an unreadable one cannot be archived.
      const stats = await folder.look(bytes).catch(() => undefined)
      if (stats === undefined) continue
      if (stats.isSymbolicLink()) await this.#link(folder, { bytes, name, stats })
      else if (stats.isDirectory()) await this.#subfolder(folder, { bytes, name, stats, depth: at.depth + 1 })
      else if (stats.isFile()) await this.#file(folder, { bytes, name })
      // Sockets, pipes and devices belong to a running program and are useless outside of it.
    }
  }

  async #subfolder(
    parent: HeldFolder,
    entry: { readonly bytes: Buffer; readonly name: string; readonly stats: Stats; readonly depth: number },
  ): Promise<void> {
    const folder = entry.depth > MAX_DEPTH ? undefined : await parent.folder(entry.bytes).catch(() => undefined)
    if (folder === undefined) return this.#leaveOut(entry.name)
    try {
      await this.#bodyless(headerOf(`${entry.name}/`, entry.stats, { type: 'directory' }))
      await this.#folder(folder, entry)
    } finally {
      await folder.close()
    }
    return undefined
  }

  async #link(
    folder: HeldFolder,
    { bytes, name, stats }: { readonly bytes: Buffer; readonly name: string; readonly stats: Stats },
  ): Promise<void> {
    const target = await folder.readLink(bytes).catch(() => undefined)
    if (target === undefined) return this.#leaveOut(name)
    const linkname = textOf(target)
    const header = headerOf(name, stats, { type: 'symlink', linkname })
    const pax = isAscii(linkname) ? header.pax : { ...header.pax, linkpath: linkname }
    return this.#bodyless(pax === undefined ? header : { ...header, pax })
  }

  async #file(folder: HeldFolder, { bytes, name }: { readonly bytes: Buffer; readonly name: string }): Promise<void> {
    const file = await folder.file(bytes).catch(() => undefined)
    if (file === undefined) return this.#leaveOut(name)
    try {
      await this.#content(file.handle, headerOf(name, file.stats, { type: 'file', size: file.stats.size }))
    } finally {
      await file.handle.close()
    }
    return undefined
  }

  /** Exactly as many bytes as in the header: a file that shrank is padded with zeros, a grown one is cut. */
  async #content(handle: FileHandle, header: TarHeader): Promise<void> {
    const writer = this.packer.controller.add(header).getWriter()
    let left = header.size
    while (left > 0) {
      // The packer keeps each chunk until it is read, so every chunk needs its own buffer.
      const piece = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES))
      const { bytesRead } = await handle.read(piece, 0, piece.length, null).catch(() => ({ bytesRead: 0 }))
      if (bytesRead === 0) break
      await writer.write(piece.subarray(0, bytesRead))
      left -= bytesRead
    }
    if (left > 0) this.#leaveOut(`${header.name} (the last ${left} bytes)`)
    for (; left > 0; left -= CHUNK_BYTES) await writer.write(Buffer.alloc(Math.min(left, CHUNK_BYTES)))
    await writer.close()
  }

  async #bodyless(header: TarHeader): Promise<void> {
    await this.packer.controller.add(header).getWriter().close()
  }

  #leaveOut(name: string): void {
    if (this.#leftOut.length < MAX_TOLD) this.#leftOut.push(name)
  }

  async #tell(name: string): Promise<void> {
    const text = Buffer.from(`${this.#leftOut.join('\n')}\n`)
    const writer = this.packer.controller.add({ name, size: text.length, mode: 0o644 }).getWriter()
    await writer.write(text)
    await writer.close()
  }
}

/** Whether `packFolder` would find the folder. */
export const isThere = async (root: string): Promise<boolean> => {
  const folder = await HeldFolder.open(root).catch(() => undefined)
  await folder?.close()
  return folder !== undefined
}

/**
 * A folder as a tar archive, below a folder of the given name. Links are stored as links and never followed; unreadable
 * files are listed in `<name>-left-out.txt`. Memory use does not depend on the content. Throws the disk's error when
 * there is no such folder.
 */
export const packFolder = async (root: string, name: string): Promise<PackedFolder> => {
  const folder = await HeldFolder.open(root)
  const packing = new Packing()
  const closed = packing.run(folder, name).catch((error: unknown) => packing.packer.controller.error(error))
  // The browser's and Node's types describe the same class.
  return { archive: Readable.fromWeb(packing.packer.readable as ReadableStream<Uint8Array>), closed }
}
