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

/** Entries and bytes that an archive declares before anything is unpacked; only some formats do. */
export interface Declared {
  readonly entries: number
  readonly bytes: number
}
