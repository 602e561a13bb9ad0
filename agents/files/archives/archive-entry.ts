/** Something in an archive. Its content is read, or skipped, before the next entry is asked for. */
export interface ArchiveEntry {
  /** As the archive has it. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'special'
  /** The permission bits, where the archive has them. */
  readonly mode?: number
  readonly mtimeMs?: number
  /** The bytes of a file. Throws for damaged ones. */
  content(): AsyncIterable<Uint8Array>
}

/** What an archive says about itself before anything is unpacked, where its format says it. */
export interface Declared {
  readonly entries: number
  readonly bytes: number
}
