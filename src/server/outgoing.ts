import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { createByteCache } from './byte-cache.ts'
import type { ByteCache } from './byte-cache.ts'
import { compressWhole, createStreamCompressor, isCompressible, isWorthIt } from './compression.ts'
import type { Encoding } from './compression.ts'
import { inlineHashes } from './content-security-policy.ts'
import type { InlineHashes } from './content-security-policy.ts'

/** A longer page is streamed, under a policy without hashes. */
const MAX_HELD_BYTES = 4_000_000
const CACHE_BYTES = 64_000_000

/** Caches of bodies by their ETag: a page's hashes, and compressed forms. */
export type OutgoingCaches = { readonly hashes: ByteCache<InlineHashes>; readonly bodies: ByteCache<Buffer> }

/** Opens the caches of one process. */
export const createOutgoingCaches = (): OutgoingCaches => ({
  hashes: createByteCache<InlineHashes>(
    4_000_000,
    (hashes) => 60 * (hashes.scripts.length + hashes.styles.length + hashes.styleAttributes.length + 1),
  ),
  bodies: createByteCache<Buffer>(CACHE_BYTES, (body) => body.byteLength),
})

export type OutgoingRules = {
  readonly caches: OutgoingCaches
  readonly encoding: Encoding | null
  /** A permanent key of the body's content, for chunks of a build. Otherwise the ETag is used, if there is one. */
  readonly immutableKey: string | null
  /** Many visitors read these bytes: they are worth more time of the compressor. */
  readonly isKept?: boolean
  /** Changes status line and headers right before they are sent. */
  readonly finish: (response: ServerResponse) => void
  /** The policy of an HTML page; null keeps Next's. `hashes` null: the page is too long to scan. */
  readonly policy: ((hashes: InlineHashes | null) => string) | null
  /** Replaces the body of a response, if it returns one. It may be called more than once and has no side effects. */
  readonly replace?: (response: ServerResponse) => { headers: Readonly<Record<string, string>>; body: string } | null
  /** The status that a complete HTML page declares; null keeps Next's. */
  readonly statusOf?: (html: string) => number | null
}

type Chunk = string | Uint8Array
type Callback = (error?: Error | null) => void

const toBuffer = (chunk: Chunk, encoding?: BufferEncoding) =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, encoding)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)

const headerText = (response: ServerResponse, name: string) => String(response.getHeader(name) ?? '')
const etagOf = (response: ServerResponse) => headerText(response, 'etag').replace(/^W\//, '')
const isHtml = (response: ServerResponse) => /^text\/html/i.test(headerText(response, 'content-type'))
const hasNoBody = (response: ServerResponse) => response.statusCode === 204 || response.statusCode === 304

/** Adds names to a response's Vary header, keeping existing ones. */
export const addVary = (response: ServerResponse, ...names: string[]): void => {
  const present = headerText(response, 'vary')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const missing = names.filter((name) => !present.some((other) => other.toLowerCase() === name.toLowerCase()))
  response.setHeader('Vary', [...present, ...missing].join(', '))
}

// A strong ETag identifies bytes, and compression changes them.
const weakenEtag = (response: ServerResponse) => {
  const tag = headerText(response, 'etag')
  if (tag !== '' && !tag.startsWith('W/')) response.setHeader('ETag', `W/${tag}`)
}

type Originals = {
  readonly writeHead: (status: number) => ServerResponse
  readonly write: (chunk: Chunk, done?: Callback) => boolean
  readonly end: (chunk?: Chunk) => ServerResponse
}

/** One outgoing response: undecided until its first byte, then held, compressed in chunks, or plain. */
class Outgoing {
  readonly #response: ServerResponse
  readonly #rules: OutgoingRules
  readonly #isHead: boolean
  readonly #original: Originals
  #mode: 'undecided' | 'held' | 'compressed' | 'plain' = 'undecided'
  #held: Buffer[] = []
  #heldBytes = 0
  #stream: ReturnType<typeof createStreamCompressor> | undefined

  constructor(response: ServerResponse, rules: OutgoingRules, isHead: boolean) {
    this.#response = response
    this.#rules = rules
    this.#isHead = isHead
    this.#original = {
      writeHead: response.writeHead.bind(response) as Originals['writeHead'],
      write: response.write.bind(response) as Originals['write'],
      end: response.end.bind(response) as Originals['end'],
    }
  }

  /** Decides the mode without a body. */
  flush(): void {
    if (this.#mode === 'undecided') this.#decide()
  }

  write(chunk: Buffer, done?: Callback): boolean {
    if (this.#mode === 'undecided') this.#decide()
    if (this.#mode !== 'held') return this.#pass(chunk, done)
    this.#hold(chunk)
    if (done) process.nextTick(done)
    return true
  }

  end(chunk: Buffer | undefined): void {
    // A body in one chunk is complete already.
    if (this.#mode === 'undecided') this.#mode = 'held'
    if (this.#mode === 'held' && chunk) this.#hold(chunk)
    else if (chunk) this.#pass(chunk)
    if (this.#mode === 'held') this.#finishHeld().catch(() => this.#response.destroy())
    else if (this.#mode === 'compressed') this.#stream?.end()
    else this.#original.end()
  }

  #mayCompress(): boolean {
    const { encoding } = this.#rules
    const type = headerText(this.#response, 'content-type')
    // A part of a body is not compressed: its Content-Range counts bytes of the plain body.
    const isPart = this.#response.statusCode === 206
    return encoding !== null && !isPart && isCompressible(type) && !this.#response.hasHeader('content-encoding')
  }

  // A body of known length is held if it is small enough, so that its compressed form can be cached.
  #decide(): void {
    const { policy, immutableKey, replace } = this.#rules
    const length = Number(headerText(this.#response, 'content-length') || Number.NaN)
    const isPage = isHtml(this.#response) && policy !== null
    const isKeepable = this.#mayCompress() && (immutableKey !== null || (length > 0 && length < MAX_HELD_BYTES))
    if (isPage || isKeepable || replace?.(this.#response)) this.#mode = 'held'
    else if (this.#mayCompress() && !this.#isHead && !hasNoBody(this.#response)) this.#startCompressed()
    else this.#startPlain()
  }

  #startPlain(): void {
    this.#mode = 'plain'
    this.#rules.finish(this.#response)
    this.#original.writeHead(this.#response.statusCode)
  }

  #startCompressed(): void {
    this.#mode = 'compressed'
    const response = this.#response
    const encoding = this.#rules.encoding ?? 'gzip'
    response.removeHeader('content-length')
    response.setHeader('Content-Encoding', encoding)
    addVary(response, 'Accept-Encoding')
    weakenEtag(response)
    this.#rules.finish(response)
    this.#original.writeHead(response.statusCode)
    const stream = createStreamCompressor(encoding)
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => {
      if (this.#original.write(chunk)) return
      stream.pause()
      response.once('drain', () => stream.resume())
    })
    // The writer waits because of the compressor's full buffer, but listens to the response.
    stream.on('drain', () => response.emit('drain'))
    stream.on('end', () => this.#original.end())
    stream.on('error', () => response.destroy())
    response.on('close', () => stream.destroy())
  }

  #pass(chunk: Buffer, done?: Callback): boolean {
    return this.#mode === 'compressed' ? (this.#stream?.write(chunk, done) ?? true) : this.#original.write(chunk, done)
  }

  #hold(chunk: Buffer): void {
    this.#held.push(chunk)
    this.#heldBytes += chunk.byteLength
    if (this.#heldBytes > MAX_HELD_BYTES) this.#letGo()
  }

  #letGo(): void {
    const pieces = this.#held
    this.#held = []
    this.#setPolicy(null)
    if (this.#mayCompress() && !this.#isHead) this.#startCompressed()
    else this.#startPlain()
    for (const piece of pieces) this.#pass(piece)
  }

  #setPolicy(body: Buffer | null): void {
    const { policy, caches } = this.#rules
    if (!policy || !isHtml(this.#response) || hasNoBody(this.#response)) return
    const key = etagOf(this.#response)
    const known = key === '' ? undefined : caches.hashes.get(key)
    const hashes = known ?? (body === null ? null : inlineHashes(body.toString('utf8')))
    if (hashes && !known && key !== '') caches.hashes.set(key, hashes)
    this.#response.setHeader('Content-Security-Policy', policy(hashes))
  }

  #setStatus(body: Buffer): void {
    const { statusOf } = this.#rules
    if (!statusOf || this.#response.statusCode !== 200 || !isHtml(this.#response)) return
    this.#response.statusCode = statusOf(body.toString('utf8')) ?? 200
  }

  async #finishHeld(): Promise<void> {
    const response = this.#response
    let body: Buffer = Buffer.concat(this.#held)
    const replaced = this.#rules.replace?.(response)
    if (replaced) {
      body = Buffer.from(replaced.body)
      for (const [name, value] of Object.entries(replaced.headers)) response.setHeader(name, value)
      response.removeHeader('etag')
    } else {
      this.#setPolicy(body)
      this.#setStatus(body)
    }
    const isText = isCompressible(headerText(response, 'content-type'))
    if (this.#mayCompress() && isWorthIt(body.byteLength)) body = await this.#compress(body)
    if (isText) addVary(response, 'Accept-Encoding')
    if (!this.#isHead && !hasNoBody(response)) response.setHeader('Content-Length', body.byteLength)
    this.#rules.finish(response)
    this.#original.writeHead(response.statusCode)
    this.#original.end(this.#isHead || hasNoBody(response) ? undefined : body)
  }

  async #compress(body: Buffer): Promise<Buffer> {
    const { encoding, caches, immutableKey, isKept = false } = this.#rules
    if (encoding === null) return body
    // Only a complete response is the body that its key names: an error page would otherwise be sent to everybody as the chunk.
    const isWhole = this.#response.statusCode === 200
    const name = isWhole ? (immutableKey ?? etagOf(this.#response)) : ''
    const isThorough = isWhole && (isKept || immutableKey !== null)
    const key = `${encoding}${isThorough ? '+' : ''}|${name}`
    const known = name === '' ? undefined : caches.bodies.get(key)
    const result = known ?? (await compressWhole(body, encoding, isThorough))
    if (!known && name !== '') caches.bodies.set(key, result)
    this.#response.setHeader('Content-Encoding', encoding)
    weakenEtag(this.#response)
    return result
  }
}

type HeadRest = (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[]

const keepHead = (response: ServerResponse, status: number, rest: HeadRest): ServerResponse => {
  response.statusCode = status
  const headers = rest.find((part) => typeof part === 'object')
  if (headers && !Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  }
  return response
}

/**
 * Intercepts Next's output: HTML is held until it is complete, so that its policy can include its inline scripts; text
 * is compressed; results are cached by ETag. Everything else is passed through.
 */
export const takeOver = (response: ServerResponse, rules: OutgoingRules, isHead: boolean): void => {
  const outgoing = new Outgoing(response, rules, isHead)
  let ended = false
  const overrides = {
    writeHead: (status: number, ...rest: HeadRest) => keepHead(response, status, rest),
    flushHeaders: () => {
      // Wrappers added to writeHead meanwhile expect its call, as from the original.
      response.writeHead(response.statusCode)
      outgoing.flush()
    },
    write: (chunk: Chunk, second?: BufferEncoding | Callback, third?: Callback) => {
      const encoding = typeof second === 'string' ? second : undefined
      return outgoing.write(toBuffer(chunk, encoding), typeof second === 'function' ? second : third)
    },
    end: (chunk?: Chunk | Callback | null, second?: BufferEncoding | Callback) => {
      if (ended || response.destroyed) return response
      ended = true
      const body = chunk === undefined || chunk === null || typeof chunk === 'function' ? undefined : chunk
      outgoing.end(body === undefined ? undefined : toBuffer(body, typeof second === 'string' ? second : undefined))
      return response
    },
  }
  Object.assign(response, overrides)
}
