import { CUT_MARK } from '#contracts/agent/console-cut.ts'

const NEWLINE = 10
const RETURN = 13
/** The continuation bytes of a UTF-8 character, three at most. */
const MAX_LATER_BYTES = 3
const isLaterByte = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Tabs separate the fields of a history record and NUL ends strings in many readers, so a line may contain neither. */
const clean = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString('utf8', from, to).replaceAll('\t', '    ').replaceAll('\0', '')

/** The end of a piece, moved back to the beginning of a character that it would cut. */
const characterEnd = (bytes: Buffer, to: number): number => {
  for (let end = to; end >= to - MAX_LATER_BYTES; end -= 1) if (!isLaterByte(bytes[end])) return end
  return to
}

/**
 * Splits bytes into lines. A line ends with a line feed, or with a single carriage return, because progress displays
 * overwrite the same line for minutes. A line longer than `maxLineBytes` is cut between characters, so that memory
 * stays bounded whatever a server prints; both sides of the cut are marked. The incomplete rest waits for the next chunk.
 */
export class LineSplitter {
  readonly #maxLineBytes: number
  #rest: Buffer = Buffer.alloc(0)
  /** The next line goes on where the last one was cut. */
  #goesOn = false

  constructor(maxLineBytes = 16_384) {
    this.#maxLineBytes = maxLineBytes
  }

  push(chunk: Buffer): string[] {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const lines: string[] = []
    let [from, to] = [0, bytes.length]
    let newline = bytes.indexOf(NEWLINE)
    let back = bytes.indexOf(RETURN)
    while (from < bytes.length) {
      if (newline >= 0 && newline < from) newline = bytes.indexOf(NEWLINE, from)
      if (back >= 0 && back < from) back = bytes.indexOf(RETURN, from)
      const isReturn = back >= 0 && (newline < 0 || back < newline)
      const end = isReturn ? back : newline
      if ((end < 0 ? bytes.length : end) - from > this.#maxLineBytes) {
        const cut = characterEnd(bytes, from + this.#maxLineBytes)
        lines.push(this.#line(bytes, from, cut) + CUT_MARK)
        this.#goesOn = true
        from = cut
        continue
      }
      if (end < 0) break
      let next = end
      while (bytes[next] === RETURN) next += 1
      // The byte after a return decides whether it ends the line or overwrites it; repeated returns count as one.
      to = end + 1
      if (next === bytes.length) break
      const isLine = bytes[next] === NEWLINE
      if (isLine || end > from) lines.push(this.#line(bytes, from, end))
      from = isLine ? next + 1 : next
      to = bytes.length
    }
    this.#rest = Buffer.from(bytes.subarray(from, Math.max(from, to)))
    return lines
  }

  /** The incomplete last line at the end of the source. */
  flush(): string[] {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    const end = rest.at(-1) === RETURN ? rest.length - 1 : rest.length
    return end > 0 ? [this.#line(rest, 0, end)] : []
  }

  #line(bytes: Buffer, from: number, to: number): string {
    const mark = this.#goesOn ? CUT_MARK : ''
    this.#goesOn = false
    return mark + clean(bytes, from, to)
  }
}
