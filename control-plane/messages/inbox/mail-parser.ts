import { existsSync } from 'node:fs'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Log } from '#platform/logger.ts'
import { unreadable, type MailContent } from './mail-content.ts'
import type { ParserWord } from './parser/serve-mails.ts'

/** For a mail, in milliseconds. The largest honest one takes two seconds of a core. */
const MAIL_MS = 60_000
/** For a thread to begin, in milliseconds. */
const START_MS = 60_000
/** The memory of its objects, in MiB: 96 are enough for every mail of 25 MB. The bytes of mails and files lie beside it. */
const MEMORY_MIB = 256

/** The parser was closed: what it was asked to read was not read. */
export class ParserClosed extends Error {
  override name = 'ParserClosed'
}

/** The program of the thread: the bundle beside the running one; when running from source, the source. */
export const findMailParser = (): URL => {
  const bundle = new URL('mail-parser.mjs', import.meta.url)
  return existsSync(bundle) ? bundle : new URL('parser/main.ts', import.meta.url)
}

/** A thread inherits no loader, so that one of a source brings it along. */
const threadOf = (program: URL, options: WorkerOptions): Worker => {
  if (!program.pathname.endsWith('.ts')) return new Worker(program, { ...options, execArgv: [] })
  const source = JSON.stringify(program.href)
  const begin = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}) })`
  return new Worker(begin, { ...options, execArgv: ['--conditions=development'], eval: true })
}

type Deps = { readonly program: URL; readonly log: Log }
/** The end of one mail in a thread; `ended` says why the thread is gone. */
type Outcome = ParserWord | { readonly kind: 'ended'; readonly why: string } | { readonly kind: 'late' | 'too-large' }

/** A thread, and a way to wait for its next word. */
class ParserThread {
  readonly #worker: Worker
  readonly #over: Promise<Outcome>
  #hear: (word: ParserWord) => void = () => {}
  isOver = false

  constructor(program: URL) {
    this.#worker = threadOf(program, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB }, name: 'mail-parser' })
    this.#worker.unref()
    this.#worker.on('message', (word: ParserWord) => this.#hear(word))
    this.#over = new Promise((resolve) => {
      this.#worker.once('error', (error: Error & { code?: string }) => {
        const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        resolve(isTooLarge ? { kind: 'too-large' } : { kind: 'ended', why: String(error) })
      })
      this.#worker.once('exit', (code) => resolve({ kind: 'ended', why: `exit code ${code}` }))
    })
    void this.#over.then(() => (this.isOver = true))
  }

  /** The next word after `ask`, or why there is none. */
  async next(withinMs: number, ask: () => void = () => {}): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'late' }), withinMs)
    })
    const word = new Promise<Outcome>((resolve) => (this.#hear = resolve))
    // A caller that waits for a word keeps the process alive.
    this.#worker.ref()
    try {
      ask()
      return await Promise.race([word, this.#over, late])
    } finally {
      clearTimeout(timer)
      this.#worker.unref()
    }
  }

  /** Its own copy, which is handed over: the bytes of a small mail share their memory with others. */
  read(source: Uint8Array): Promise<Outcome> {
    const copy = new Uint8Array(source)
    return this.next(MAIL_MS, () => this.#worker.postMessage(copy, [copy.buffer]))
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.#worker.terminate()
  }
}

/**
 * Reads mails in a thread of its own, one after the other (decision 100). The thread lives as long as the process; one that is over is
 * replaced by the next mail.
 */
export class MailParser {
  readonly #deps: Deps
  #thread: ParserThread | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Reads a mail. One that takes more time or memory than a mail may take is unreadable. Rejects when the thread died for another reason,
   * so that the mail is read later, and with ParserClosed after `close`.
   */
  readonly read = (source: Uint8Array): Promise<MailContent> => {
    const reading = this.#last.then(() => this.#readAlone(source))
    this.#last = reading.catch(() => {})
    return reading
  }

  /** Ends the thread, also one that is reading. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.end()
    await this.#last
  }

  async #started(): Promise<ParserThread> {
    if (this.#thread !== undefined && !this.#thread.isOver) return this.#thread
    const thread = new ParserThread(this.#deps.program)
    this.#thread = thread
    const { kind } = await thread.next(START_MS)
    if (kind === 'ready') return thread
    await thread.end()
    throw this.#isClosed ? new ParserClosed('closed') : new Error(`The parser of mails does not start: ${kind}`)
  }

  async #readAlone(source: Uint8Array): Promise<MailContent> {
    if (this.#isClosed) throw new ParserClosed('closed')
    const thread = await this.#started()
    const outcome = await thread.read(source)
    if (outcome.kind === 'read') return outcome.content
    if (outcome.kind !== 'failed') await thread.end()
    if (this.#isClosed) throw new ParserClosed('closed')
    if (outcome.kind === 'late' || outcome.kind === 'too-large') {
      this.#deps.log.error({ bytes: source.length, why: outcome.kind }, 'a mail took too much to be parsed')
      return unreadable(source)
    }
    const why = outcome.kind === 'failed' ? outcome.reason : outcome.kind === 'ended' ? outcome.why : outcome.kind
    throw new Error(`A mail was not parsed: ${why}`)
  }
}
