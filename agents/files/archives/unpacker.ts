import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { FileFailure } from '../file-failure.ts'

/** How the unpacker is called; `type` is the format in 7-Zip's own words. */
export interface UnpackerCall {
  readonly does: 'list' | 'unpack'
  readonly type: '7z' | 'zstd' | 'xz' | 'bzip2'
  /** Ends the process. */
  readonly signal: AbortSignal
}

/** The archive in the unpacker's process. */
export const ARCHIVE_FD = 3
const MEMORY = '--max-old-space-size=64'

/** Reads formats that only 7-Zip can read, in a process of its own that has nothing but the open archive. */
export class Unpacker {
  readonly #program: () => Buffer

  constructor(program: () => Buffer) {
    this.#program = program
  }

  /** Yields the output of the process. Throws `ARCHIVE_ENCRYPTED`, or `ARCHIVE_DAMAGED` when it fails or ends early. */
  async *run({ does, type, signal }: UnpackerCall, archive: FileHandle): AsyncGenerator<Buffer> {
    const child = spawn(process.execPath, [MEMORY, '--input-type=module', '-', does, type], {
      cwd: '/',
      env: { NODE_ENV: 'production' },
      stdio: ['pipe', 'pipe', 'pipe', archive.fd],
      signal,
      killSignal: 'SIGKILL',
    })
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', (code) => resolve(code))
    })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)))
    // A process that ended before it read its program says so by its code.
    child.stdin?.on('error', () => {}).end(this.#program())
    try {
      for await (const piece of child.stdout as AsyncIterable<Buffer>) yield piece
      if ((await ended) !== 0) {
        throw new FileFailure(/password|encrypted/i.test(said) ? 'ARCHIVE_ENCRYPTED' : 'ARCHIVE_DAMAGED')
      }
    } finally {
      if (child.exitCode === null) child.kill('SIGKILL')
      await ended
    }
  }
}
