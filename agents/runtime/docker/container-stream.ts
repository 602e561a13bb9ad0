import { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { NewLine } from '../../console/history.ts'
import type { Timers } from '../../platform/timers.ts'
import type { ConsoleWriters } from './console-writers.ts'
import type { ContainerOutput, OutputTask } from './container-output.ts'
import type { DockerEngine } from './engine.ts'
import { PieceMarks } from './log-file.ts'

const RETRY_MS = 1_000
const HEAD_BYTES = 8
const FROM_ERRORS = 2

/**
 * Parses the engine's frames: a header of 8 bytes (stream, three zeros, length in big endian), then the bytes. Calls
 * `take` with the stream and the text of each complete frame. Returns the function to feed with chunks.
 */
export const frameReader = (take: (isError: boolean, text: string) => void): ((chunk: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (bytes.length - at >= HEAD_BYTES) {
      const size = bytes.readUInt32BE(at + 4)
      if (bytes.length - at - HEAD_BYTES < size) break
      const from = at + HEAD_BYTES
      take(bytes[at] === FROM_ERRORS, bytes.toString('utf8', from, from + size))
      at = from + size
    }
    rest = Buffer.from(bytes.subarray(at))
  }
}

/** Splits `2026-11-21T04:05:06.123456789Z text`; undefined without a time before the text. */
export const timedText = (text: string): { readonly nanoseconds: bigint; readonly text: string } | undefined => {
  const space = text.indexOf(' ')
  const time = space < 0 ? text.trimEnd() : text.slice(0, space)
  const secondMs = Date.parse(`${time.slice(0, 19)}Z`)
  if (!Number.isFinite(secondMs)) return undefined
  const fraction = BigInt(time.slice(20, -1).padEnd(9, '0').slice(0, 9) || '0')
  return { nanoseconds: BigInt(secondMs) * 1_000_000n + fraction, text: space < 0 ? '' : text.slice(space + 1) }
}

/** Time in nanoseconds since 1970, and the number of lines with that time in the history. */
interface Position {
  readonly time: bigint
  readonly count: number
}

interface StreamDeps {
  readonly timers: Timers
  readonly engine: DockerEngine
  readonly writers: ConsoleWriters
  changed(): void
  failed(error: unknown): void
}

/**
 * Copies from the engine's own log stream, for engines whose files are not accessible. A line's position is its time
 * and the number of earlier lines with the same time, so that a new stream, requested from that time on, repeats
 * nothing.
 */
export class StreamOutput implements ContainerOutput {
  readonly #task: OutputTask & { readonly containerId: string }
  readonly #deps: StreamDeps
  #life = new AbortController()
  #isClosed = false
  /** The container has ended: from here on its complete output is requested. */
  #hasEnded = false
  #hasFailed = false
  #time = -1n
  #count = 0
  #cancelRetry: () => void = () => {}

  constructor(task: OutputTask & { readonly containerId: string }, deps: StreamDeps) {
    this.#task = task
    this.#deps = deps
    void this.#run()
  }

  /** The container has ended, so all of its output is available without waiting. */
  async drain(): Promise<boolean> {
    this.#hasEnded = true
    this.#cancelRetry()
    this.#life.abort()
    const isCopied = this.#isClosed || (await this.#follow(false))
    return isCopied && !this.#hasFailed
  }

  close(): void {
    this.#isClosed = true
    this.#cancelRetry()
    this.#life.abort()
  }

  async #run(): Promise<void> {
    await this.#follow(true)
    // A second reader besides the final one would duplicate its lines.
    if (this.#isClosed || this.#hasEnded) return
    this.#cancelRetry = this.#deps.timers.after(RETRY_MS, () => void this.#run())
  }

  /** The history's position in this container's output. */
  #position(): Position {
    const last = this.#deps.writers.of(this.#task.consoleFolder).writer.lastPosition
    const isOwn = last !== undefined && last.seq > this.#task.afterSeq
    const [time = '0', count = '0'] = isOwn ? last.at.split('.') : []
    return { time: BigInt(time), count: Number(count) }
  }

  /** False when the engine did not respond: its output remains to be copied. */
  async #follow(isEndless: boolean): Promise<boolean> {
    const life = new AbortController()
    this.#life = life
    const opened = await this.#deps.engine.open(
      'send the output of a container',
      (docker) => this.#request(docker, isEndless),
      life.signal,
    )
    if (!opened.ok) return opened.code !== 'UNREACHABLE'
    if (life.signal.aborted) return true
    const from = this.#position()
    this.#time = from.time
    this.#count = 0
    const lines: NewLine[] = []
    const marks = new PieceMarks()
    const read = frameReader((isError, raw) => {
      const timed = timedText(raw)
      if (timed === undefined) return
      const stream = this.#task.isInstaller ? 'i' : isError ? 'e' : 'o'
      const text = marks.lineOf(timed.text, stream)
      const line = this.#lineOf({ ...timed, stream, text }, from)
      if (line !== undefined) lines.push(line)
    })
    await new Promise<void>((resolve) => {
      opened.value.on('data', (chunk: Buffer) => {
        if (life.signal.aborted) return
        read(chunk)
        // Lines that could not be stored are sent again by the next stream.
        if (!this.#write(lines.splice(0))) life.abort()
      })
      for (const event of ['error', 'end', 'close']) opened.value.on(event, () => resolve())
    })
    return true
  }

  /** A finite stream arrives complete in one response. */
  async #request(docker: Docker, isEndless: boolean): Promise<NodeJS.ReadableStream> {
    const since = Number(this.#position().time / 1_000_000_000n)
    const wanted = { stdout: true, stderr: true, timestamps: true, since } as const
    const container = docker.getContainer(this.#task.containerId)
    if (isEndless) return container.logs({ ...wanted, follow: true })
    return Readable.from([await container.logs({ ...wanted, follow: false })])
  }

  #lineOf(
    { nanoseconds, stream, text }: Pick<NewLine, 'stream' | 'text'> & { readonly nanoseconds: bigint },
    from: Position,
  ): NewLine | undefined {
    if (nanoseconds < from.time) return undefined
    this.#count = nanoseconds === this.#time ? this.#count + 1 : 1
    this.#time = nanoseconds
    if (nanoseconds === from.time && this.#count <= from.count) return undefined
    return { timeMs: Number(nanoseconds / 1_000_000n), stream, text, at: `${nanoseconds}.${this.#count}` }
  }

  #write(lines: readonly NewLine[]): boolean {
    if (lines.length === 0) return true
    try {
      this.#deps.writers.of(this.#task.consoleFolder).writer.append(lines)
    } catch (error) {
      this.#hasFailed = true
      this.#deps.failed(error)
      return false
    }
    this.#hasFailed = false
    this.#deps.changed()
    return true
  }
}
