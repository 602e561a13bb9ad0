import { writeSync } from 'node:fs'

export type BufferSettings = {
  /** Text that waits longer than this is written. */
  readonly everyMs: number
  /** More waiting characters than this are written at once. */
  readonly blockLength: number
  /** More waiting characters than this are dropped: the reader has stalled. */
  readonly maxLength: number
}

const SETTINGS: BufferSettings = { everyMs: 100, blockLength: 8_192, maxLength: 16_000_000 }

/** How long a flush waits for a reader that takes nothing. */
const PATIENCE_MS = 500
const PAUSE_MS = 5

const sleeper = new Int32Array(new SharedArrayBuffer(4))
const isFull = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

/**
 * A destination of lines that writes them in blocks. A reader that stalls delays nobody; a reader that is gone ends the
 * output silently, because a program whose supervisor was killed must still be able to stop. (sonic-boom's `flushSync`
 * retries EPIPE for ever.)
 */
export const bufferedOutput = (fd: number, { everyMs, blockLength, maxLength }: BufferSettings = SETTINGS) => {
  let waiting = Buffer.alloc(0)
  let text = ''
  let timer: NodeJS.Timeout | undefined
  let isGone = false

  /** Writes what the reader takes now. Returns whether nothing is left. */
  const writeOut = (): boolean => {
    if (text !== '') waiting = Buffer.concat([waiting, Buffer.from(text)])
    text = ''
    try {
      while (waiting.byteLength > 0) waiting = waiting.subarray(writeSync(fd, waiting))
    } catch (error) {
      if (isFull(error)) return false
      isGone = true
      waiting = Buffer.alloc(0)
    }
    return true
  }
  const wake = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (!writeOut()) wake()
    }, everyMs).unref()
  }
  const flush = (): void => {
    for (let waitedMs = 0; !writeOut() && waitedMs < PATIENCE_MS; waitedMs += PAUSE_MS)
      Atomics.wait(sleeper, 0, 0, PAUSE_MS)
  }
  process.on('exit', flush)
  return {
    write: (line: string): void => {
      if (isGone || waiting.byteLength + text.length > maxLength) return
      text += line
      if (text.length >= blockLength && waiting.byteLength === 0) writeOut()
      if (text !== '' || waiting.byteLength > 0) wake()
    },
    /** Writes now what the reader takes. */
    push: (): void => {
      if (!writeOut()) wake()
    },
  }
}
