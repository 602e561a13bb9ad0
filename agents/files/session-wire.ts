/** How the agent and a worker speak about open files: frames of JSON and bytes, in both directions of one stream. */

/** Attributes of a file or folder, as SFTP has them. */
export interface FileAttributes {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
  readonly atimeMs: number
}

export interface AttributeChange {
  readonly mode?: number
  readonly size?: number
  readonly times?: { readonly atimeMs: number; readonly mtimeMs: number }
}

export interface OpenFlags {
  readonly writes: boolean
  readonly creates: boolean
  readonly exclusive: boolean
  readonly truncates: boolean
  /** Each write goes to the end that the file has then, wherever the client believes it to be. */
  readonly appends: boolean
  /** Whether the holder may make a file, and change one. */
  readonly mayCreate: boolean
  readonly mayChange: boolean
  /** The permission bits of a file that is made. */
  readonly mode?: number
}

/** Calls of a session; `handle` is a number that `open` or `opendir` returned. */
export type SessionCall =
  | { readonly does: 'stat'; readonly path: string }
  | { readonly does: 'open'; readonly path: string; readonly flags: OpenFlags }
  | { readonly does: 'read'; readonly handle: number; readonly at: number; readonly length: number }
  | { readonly does: 'write'; readonly handle: number; readonly at: number }
  | { readonly does: 'close'; readonly handle: number }
  | { readonly does: 'stat handle'; readonly handle: number }
  | { readonly does: 'change handle'; readonly handle: number; readonly change: AttributeChange }
  | { readonly does: 'change'; readonly path: string; readonly change: AttributeChange }
  | { readonly does: 'open folder'; readonly path: string }
  | { readonly does: 'read folder'; readonly handle: number }
  | { readonly does: 'make folder'; readonly path: string }
  | { readonly does: 'remove folder'; readonly path: string }
  | { readonly does: 'remove file'; readonly path: string }
  | { readonly does: 'rename'; readonly from: string; readonly to: string }
  | { readonly does: 'read link'; readonly path: string }
  /** The storage that is left, as the agent has just measured it. */
  | {
      readonly does: 'measured'
      readonly freeBytes: number
      readonly measurement: number
      readonly measuredAtMs?: number | undefined
      readonly reserveBytes?: number
    }

export interface FolderEntry {
  readonly name: string
  readonly attributes: FileAttributes
}

/** The answer to a call; the bytes of a read follow it in the frame. */
export interface SessionAnswer {
  readonly refusal?: string
  readonly handle?: number
  /** With a file that was opened to be written: whether the name was free. */
  readonly isNew?: boolean
  readonly attributes?: FileAttributes
  /** The next entries of a folder; an empty list is its end. */
  readonly entries?: readonly FolderEntry[]
  readonly target?: string
}

const HEAD_BYTES = 8
/** A larger frame is a mistake of one of the two programs. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024
const NO_BYTES = Buffer.alloc(0)

/** The length of the JSON and of the bytes, then both. */
export const frameOf = (id: number, value: SessionCall | SessionAnswer, bytes: Buffer = NO_BYTES): Buffer => {
  const json = Buffer.from(JSON.stringify([id, value]))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(json.length, 0)
  head.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([head, json, bytes])
}

export interface Frame<Value> {
  readonly id: number
  readonly value: Value
  readonly bytes: Buffer
}

/** The frames of a stream, however it is cut. Throws for a frame that is too large. */
export async function* framesOf<Value extends SessionCall | SessionAnswer>(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Frame<Value>> {
  let rest: Buffer = NO_BYTES
  for await (const piece of source) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    for (;;) {
      if (rest.length < HEAD_BYTES) break
      const [jsonBytes, bytes] = [rest.readUInt32BE(0), rest.readUInt32BE(4)]
      if (jsonBytes + bytes > MAX_FRAME_BYTES) throw new Error('A frame is too large.')
      const end = HEAD_BYTES + jsonBytes + bytes
      if (rest.length < end) break
      const [id, value] = JSON.parse(rest.toString('utf8', HEAD_BYTES, HEAD_BYTES + jsonBytes)) as [number, Value]
      yield { id, value, bytes: rest.subarray(HEAD_BYTES + jsonBytes, end) }
      rest = rest.subarray(end)
    }
  }
}
