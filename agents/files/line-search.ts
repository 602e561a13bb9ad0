import { StringDecoder } from 'node:string_decoder'

const SHOWN_CHARACTERS = 200
/** The beginning of a line that is kept for the piece after it. A longer line is shown from a later place on. */
const KEPT_CHARACTERS = 64 * 1024

export interface FoundLine {
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** Finds the first line with a text, in any case, in content that comes in pieces. */
export class LineSearch {
  readonly #wanted: string
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #linesBefore = 0

  /** `wanted` in lower case, without line breaks. */
  constructor(wanted: string) {
    this.#wanted = wanted
  }

  add(piece: Buffer): FoundLine | undefined {
    const text = this.#rest + this.#decoder.write(piece)
    const at = text.toLowerCase().indexOf(this.#wanted)
    if (at >= 0) return this.#found(text, at)
    const start = text.lastIndexOf('\n') + 1
    this.#linesBefore += breaksIn(text, start)
    const isLong = text.length - start > KEPT_CHARACTERS
    this.#rest = text.slice(isLong ? -this.#wanted.length : start)
    return undefined
  }

  #found(text: string, at: number): FoundLine {
    const start = text.lastIndexOf('\n', at - 1) + 1
    const end = text.indexOf('\n', at)
    const shown = text.slice(start, end < 0 ? undefined : end).trim()
    return { line: this.#linesBefore + breaksIn(text, at) + 1, text: shown.slice(0, SHOWN_CHARACTERS) }
  }
}

/** The line feeds before a place. */
const breaksIn = (text: string, before: number): number => {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < before; at = text.indexOf('\n', at + 1)) breaks += 1
  return breaks
}
