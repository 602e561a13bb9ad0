const NEWLINE = 10
const CARRIAGE_RETURN = 13

/** Tabs separate the fields of a history record and NUL ends strings in many readers, so neither may stand in a line. */
const clean = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString('utf8', from, to).replaceAll('\t', '    ').replaceAll('\0', '')

/**
 * Bytes in, whole lines out. A line longer than `maxLineBytes` is cut into pieces, so memory stays bounded whatever a
 * server prints. The unfinished rest waits for the next chunk.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(maxLineBytes = 16_384) {
    this.#maxLineBytes = maxLineBytes
  }

  push(chunk: Buffer): string[] {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const lines: string[] = []
    let from = 0
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, from)
      const reach = newline < 0 ? bytes.length : newline
      if (reach - from > this.#maxLineBytes) {
        lines.push(clean(bytes, from, from + this.#maxLineBytes))
        from += this.#maxLineBytes
        continue
      }
      if (newline < 0) break
      const withoutReturn = newline > from && bytes[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline
      lines.push(clean(bytes, from, withoutReturn))
      from = newline + 1
    }
    this.#rest = Buffer.from(bytes.subarray(from))
    return lines
  }

  /** The unfinished last line, once the source has ended. */
  flush(): string[] {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    return rest.length > 0 ? [clean(rest, 0, rest.length)] : []
  }
}
