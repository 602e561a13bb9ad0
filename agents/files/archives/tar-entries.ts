import { Parser, type ReadEntry } from 'tar'
import { FileFailure } from '../file-failure.ts'
import type { ArchiveEntry } from './archive-entry.ts'

const KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  Link: 'link',
  SymbolicLink: 'link',
}
/** GNU tar writes a file with holes as one of this name, whose content begins with a map (GNU tar manual, D.3). */
const SPARSE = /(^|\/)GNUSparseFile\.\d+\//

const entryOf = (entry: ReadEntry): ArchiveEntry => ({
  name: String(entry.path),
  kind: SPARSE.test(String(entry.path)) ? 'special' : (KINDS[entry.type] ?? 'special'),
  ...(entry.mode === undefined ? {} : { mode: entry.mode }),
  ...(entry.mtime === undefined ? {} : { mtimeMs: entry.mtime.getTime() }),
  content: () => entry as AsyncIterable<Buffer>,
})

/** Feeds the parser, and hands its entries over one by one. */
class Parsing {
  readonly #parser = new Parser({ strict: true, brotli: false, zstd: false })
  readonly #found: ReadEntry[] = []
  #failure: unknown
  #current: ReadEntry | undefined
  #isOver = false
  #wakeReader = (): void => {}
  #wakeFeeder = (): void => {}

  constructor() {
    const parser = this.#parser
    parser.on('entry', (entry: ReadEntry) => this.#push(entry))
    // Devices and files with holes, which the parser skips. A header of names that it skips would change what follows.
    parser.on('ignoredEntry', (entry: ReadEntry) =>
      entry.meta ? this.#end(new FileFailure('ARCHIVE_DAMAGED')) : this.#push(entry),
    )
    parser.on('end', () => this.#end())
    parser.on('error', (error: unknown) => this.#end(error))
    parser.on('drain', () => this.#wakeFeeder())
  }

  async feed(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of source) {
        if (this.#isOver) return
        const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
        if (!this.#parser.write(bytes)) await new Promise<void>((resolve) => (this.#wakeFeeder = resolve))
      }
      this.#parser.end()
    } catch (error) {
      this.#end(error)
    }
  }

  async *entries(): AsyncGenerator<ReadEntry> {
    for (;;) {
      const entry = this.#found.shift()
      if (entry !== undefined) {
        this.#current = entry
        yield entry
      } else if (!this.#isOver) await new Promise<void>((resolve) => (this.#wakeReader = resolve))
      else break
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Nobody reads on: the feeder stops, and closes its source. */
  stop(): void {
    this.#isOver = true
    this.#wakeFeeder()
  }

  #push(entry: ReadEntry): void {
    // Its reader is told; an error that nobody listens for would end this process.
    entry.on('error', () => {})
    this.#found.push(entry)
    this.#wakeReader()
  }

  #end(failure?: unknown): void {
    this.#failure ??= failure
    // A reader of its content would wait for ever.
    if (failure !== undefined && this.#current?.emittedEnd === false) this.#current.destroy(this.#failure)
    this.stop()
    this.#wakeReader()
  }
}

/** Everything in a stream of tar. Throws for headers that are damaged, and for an end that comes too early. */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const parsing = new Parsing()
  const feeding = parsing.feed(source)
  try {
    for await (const entry of parsing.entries()) {
      yield entryOf(entry)
      if (!entry.emittedEnd) entry.resume()
    }
  } finally {
    parsing.stop()
    await feeding
  }
}
