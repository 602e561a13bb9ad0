import type { FileHandle } from 'node:fs/promises'
import { MAX_ARCHIVE_ENTRIES } from '#contracts/panel/archive-formats.ts'
import { FileFailure } from '../file-failure.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import type { Unpacker } from './unpacker.ts'

/** One entry as 7-Zip lists it. */
export interface Listed {
  readonly name: string
  readonly kind: ArchiveEntry['kind']
  readonly size: number
  readonly mtimeMs?: number
  readonly mode?: number
}

/** A larger dictionary would take more memory than a node gives to one archive. */
const MAX_DICTIONARY = 256 * 1024 * 1024
const UNITS: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
const UNIX_KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = { '-': 'file', d: 'folder', l: 'link' }

/** `LZMA2:26` is a power of two, `LZMA2:1536m` a size; `PPMD:o6:mem27` likewise. */
const needsTooMuch = (method: string): boolean =>
  [...method.matchAll(/(?:LZMA2?|mem):?(\d+)([bkmg]?)/gi)].some(([, digits, unit]) => {
    const number = Number(digits)
    return (unit ? number * (UNITS[unit.toLowerCase()] ?? 1) : 2 ** number) > MAX_DICTIONARY
  })

const bitsOf = (text: string): number =>
  [...text.slice(1, 10)].reduce((bits, sign, index) => (sign === '-' ? bits : bits | (1 << (8 - index))), 0)

/** `D drwxr-xr-x` from Unix, `A` or `RHSA` from Windows. */
const attributesOf = (text: string): Pick<Listed, 'kind' | 'mode'> => {
  const unix = /(?:^| )([a-z-][rwxsStT-]{9})$/.exec(text)?.[1]
  if (unix !== undefined) return { kind: UNIX_KINDS[unix[0] ?? ''] ?? 'special', mode: bitsOf(unix) }
  return { kind: text.startsWith('D') ? 'folder' : 'file' }
}

const listedOf = (fields: ReadonlyMap<string, string>): Listed => {
  if (fields.get('Encrypted') === '+') throw new FileFailure('ARCHIVE_ENCRYPTED')
  if (needsTooMuch(fields.get('Method') ?? '')) throw new FileFailure('ARCHIVE_DAMAGED')
  const mtimeMs = Date.parse(`${(fields.get('Modified') ?? '').slice(0, 19).replace(' ', 'T')}Z`)
  return {
    name: fields.get('Path') ?? '',
    size: Number(fields.get('Size') ?? 0),
    ...attributesOf(fields.get('Attributes') ?? ''),
    ...(Number.isNaN(mtimeMs) ? {} : { mtimeMs }),
  }
}

/** Reads 7-Zip's technical list (`l -slt`): a paragraph of `Key = value` for each entry. */
export const readList = async (output: AsyncIterable<Buffer>): Promise<Listed[]> => {
  const all: Listed[] = []
  let fields = new Map<string, string>()
  const paragraph = (): void => {
    if (fields.has('Path')) all.push(listedOf(fields))
    fields = new Map()
    if (all.length > MAX_ARCHIVE_ENTRIES) throw new FileFailure('ARCHIVE_TOO_MANY')
  }
  const line = (text: string): void => {
    const at = text.indexOf(' = ')
    // Progress may stand before the first line.
    if (text.trim() === '') paragraph()
    else if (at > 0) fields.set(text.slice(0, at).replace(/^.*\s(?=Path$)/, ''), text.slice(at + 3))
  }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of output) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const each of lines) line(each)
  }
  line(rest)
  paragraph()
  return all
}

/** The parts of one stream, each as long as it is asked for. Throws `ARCHIVE_DAMAGED` when the stream ends before. */
class Cutting {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source
  }

  async *next(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next()
        if (done) throw new FileFailure('ARCHIVE_DAMAGED')
        this.#rest = value
      }
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  /** Throws when there is more than the list said, and what the process says of its sums. */
  async end(): Promise<void> {
    const { done } = await this.#source.next()
    if (this.#rest.length > 0 || !done) throw new FileFailure('ARCHIVE_DAMAGED')
  }
}

/** Everything in a 7z archive, as it was listed: 7-Zip writes the contents one after the other, in that order. */
export async function* sevenZipEntries(
  listed: readonly Listed[],
  { unpacker, archive, signal }: { unpacker: Unpacker; archive: FileHandle; signal: AbortSignal },
): AsyncGenerator<ArchiveEntry> {
  const output = unpacker.run({ does: 'unpack', type: '7z', signal }, archive)
  const cutting = new Cutting(output)
  try {
    for (const { size, ...entry } of listed) {
      let content: AsyncGenerator<Buffer> | undefined
      yield { ...entry, content: () => (content ??= cutting.next(entry.kind === 'folder' ? 0 : size)) }
      content ??= cutting.next(entry.kind === 'folder' ? 0 : size)
      for await (const _skipped of content);
    }
    await cutting.end()
  } finally {
    await output.return(undefined)
  }
}
