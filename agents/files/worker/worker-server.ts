import { createServer, type Http2Server, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { JobResult, WorkerJob } from '#contracts/panel/file-jobs.ts'
import { FILE_REFUSALS, type FileErrorBody } from '#contracts/panel/file-refusals.ts'
import { packFolder, planPack } from '../../archive/pack-folder.ts'
import { START, storedGzip, storedLength } from '../../archive/stored-gzip.ts'
import { FileFailure, refusalOf } from '../file-failure.ts'
import type { JobWork } from '../job-work.ts'
import type { OpenContent, Replaced } from '../file-content.ts'
import { MARK_TRAILER, REFUSAL_TRAILER } from '../transferring/transfer-wire.ts'
import type { TreeMark } from '../transferring/tree-mark.ts'
import { isWorkerJob, isWorkerCall, workerCalls, type Room, type WorkerDeps } from './calls.ts'
import {
  AskedUploadPart,
  BegunUpload,
  BYTES_TRAILER,
  JOB_LINE_MS,
  ROOM_HEADERS,
  TAKEN_HEADER,
  TakenName,
  UPLOAD_HEADER,
  WINDOW_BYTES,
  type JobLine,
} from '../worker-wire.ts'

const MAX_BODY_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

const sendJson = (response: Http2ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const sendFailure = (response: Http2ServerResponse, error: unknown): void => {
  const code = refusalOf(error)
  const current = error instanceof FileFailure ? error.current : undefined
  const message = error instanceof Error ? error.message : ''
  const body: FileErrorBody = { error: { code, message, ...current } }
  if (response.headersSent) response.stream.destroy()
  else sendJson(response, FILE_REFUSALS[code], body)
}

const readBody = async (request: Http2ServerRequest): Promise<unknown> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) throw new FileFailure('TOO_LARGE')
    pieces.push(piece)
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

const numberOf = (header: string | string[] | undefined): number => Number(header ?? 0)

const roomOf = ({ headers }: Http2ServerRequest): Room => ({
  limitBytes: numberOf(headers[ROOM_HEADERS.limit]),
  freeBytes: numberOf(headers[ROOM_HEADERS.free]),
  measurement: numberOf(headers[ROOM_HEADERS.measurement]),
  measuredAtMs: headers[ROOM_HEADERS.measuredAt] === undefined ? undefined : numberOf(headers[ROOM_HEADERS.measuredAt]),
  reserveBytes: numberOf(headers[ROOM_HEADERS.reserve]),
})

const replacedOf = ({ headers }: Http2ServerRequest): Replaced => {
  if (headers['if-match'] !== undefined) return { etag: headers['if-match'] }
  return headers['if-none-match'] === '*' ? 'new' : 'any'
}

/** `bytes=from-to`, both included, as the agent's door has checked it; undefined for the whole file. */
const rangeOf = (header: string | undefined, size: number): { from: number; to: number } | undefined => {
  const range = /^bytes=(\d+)-(\d*)$/.exec(header ?? '')
  if (range === null) return undefined
  const from = Number(range[1])
  if (from >= size) throw new FileFailure('NO_SUCH_RANGE')
  return { from, to: Math.min(size - 1, range[2] === '' ? size - 1 : Number(range[2])) }
}

/** The bytes of an open file, each chunk in a buffer of its own, because a stream keeps it until it is sent. */
async function* chunks(
  read: (buffer: Buffer, length: number, at: number) => Promise<number>,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer> {
  for (let at = from; at <= to;) {
    const wanted = Math.min(CHUNK_BYTES, to + 1 - at)
    const buffer = Buffer.allocUnsafe(wanted)
    const bytes = await read(buffer, wanted, at)
    // It shrank while it was read: the response ends too early, which its length says.
    if (bytes === 0) return
    at += bytes
    yield buffer.subarray(0, bytes)
  }
}

/** Answers the agent's requests over the one connection that this process inherited. */
export class WorkerServer {
  readonly #deps: WorkerDeps
  readonly #worker: ReturnType<typeof workerCalls>
  readonly #server: Http2Server
  #lastArchive: Promise<unknown> = Promise.resolve()
  readonly #running = new Set<Promise<unknown>>()

  constructor(deps: WorkerDeps) {
    this.#deps = deps
    this.#worker = workerCalls(deps)
    this.#server = createServer({ settings: { initialWindowSize: WINDOW_BYTES } }, (request, response) => {
      // A request that is cancelled is the agent's decision, and no failure of this process.
      request.on('error', () => {})
      response.on('error', () => {})
      void this.#answer(request, response).catch((error: unknown) => sendFailure(response, error))
    })
  }

  /** Ends what an interrupted worker left, and then answers. */
  async serve(connection: Duplex): Promise<void> {
    await this.#worker.recover()
    this.#server.emit('connection', connection)
  }

  /** Resolves once no job runs any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async #answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url, 'http://worker')
    const path = searchParams.get('path') ?? ''
    // A call that only reads does not say it.
    if (request.headers[ROOM_HEADERS.measurement] !== undefined) this.#worker.growth.measured(roomOf(request))
    if (pathname === '/content') {
      if (request.method === 'PUT') return this.#write(path, request, response)
      const content = await this.#worker.content.open(path, searchParams.get('version') ?? undefined)
      return this.#read(content, request, response)
    }
    if (pathname === '/archive') return this.#archive(path, response)
    if (pathname === '/session') return this.#session(request, response)
    if (pathname.startsWith('/transfer/')) return this.#transfer(pathname, request, response)
    if (pathname.startsWith('/upload')) return this.#upload(request, response)
    const name = pathname.slice('/call/'.length)
    if (isWorkerJob(name)) return this.#job(name, request, response)
    if (!isWorkerCall(name)) throw new FileFailure('NOT_FOUND')
    // The door has parsed the body by the same row of the contract.
    const call = this.#worker.calls[name] as (body: unknown, room: Room, signal: AbortSignal) => Promise<unknown>
    const cut = new AbortController()
    response.once('close', () => cut.abort())
    const body = await readBody(request)
    sendJson(response, 200, await call(body, roomOf(request), cut.signal))
    return undefined
  }

  /** Tells how far it is, line by line, until it ends. A response that is closed cancels it. */
  async #job(kind: WorkerJob, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const cancelled = new AbortController()
    response.once('close', () => cancelled.abort())
    const say = (line: JobLine): void => void response.write(`${JSON.stringify(line)}\n`)
    let nextMs = 0
    const work: JobWork = {
      signal: cancelled.signal,
      progress: (done, total) => {
        if (this.#deps.now() < nextMs) return
        nextMs = this.#deps.now() + JOB_LINE_MS
        say({ done, total })
      },
    }
    const run = this.#worker.jobs[kind] as (body: unknown, work: JobWork, room: Room) => Promise<JobResult>
    const body = await readBody(request)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const running = this.#inTurn(kind, () => run(body, work, roomOf(request)))
    this.#running.add(running)
    try {
      say({ result: await running })
    } catch (error) {
      say({ refusal: refusalOf(error) })
    } finally {
      this.#running.delete(running)
    }
    response.end()
  }

  /** One archive after the other: one that was cancelled may still be removing its parts. */
  #inTurn(kind: WorkerJob, run: () => Promise<JobResult>): Promise<JobResult> {
    if (kind !== 'compress' && kind !== 'extract') return run()
    const mine = this.#lastArchive.then(run, run)
    this.#lastArchive = mine.catch(() => {})
    return mine
  }

  /** Open files of one connection, until its stream ends. */
  async #session(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { session } = this.#worker
    response.writeHead(200)
    response.stream.on('error', () => {})
    await session().serve(request as AsyncIterable<Buffer>, (frame) => void response.write(frame))
    response.end()
  }

  /** The parts of a transfer that one of its two servers has. */
  async #transfer(pathname: string, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { sending, receiving } = this.#worker
    const { searchParams } = new URL(request.url, 'http://worker')
    const path = searchParams.get('path') ?? ''
    if (pathname === '/transfer/send') return sending.send(path, (tar, mark) => this.#send(tar, mark, response))
    if (pathname === '/transfer/receive') {
      const facts = { bytes: Number(searchParams.get('bytes')), isMove: searchParams.get('move') === 'true' }
      const wish = { taken: TakenName.parse(searchParams.get('taken')), limitBytes: roomOf(request).limitBytes }
      return sendJson(response, 200, await receiving.receive({ path, ...facts, ...wish }, request))
    }
    if (pathname === '/transfer/folder') {
      await this.#deps.root.inFolder(path, () => Promise.resolve())
      return sendJson(response, 200, {})
    }
    if (pathname === '/transfer/measure') {
      const { paths } = (await readBody(request)) as { paths: string[] }
      return sendJson(response, 200, { bytes: await sending.measure(paths) })
    }
    if (pathname !== '/transfer/leave') throw new FileFailure('NOT_FOUND')
    return sendJson(response, 200, { hasLeft: await sending.leave(path, searchParams.get('mark') ?? '') })
  }

  /** Says at the end how it ended, because its length is not known before. */
  async #send(tar: AsyncIterable<Buffer>, mark: TreeMark, response: Http2ServerResponse): Promise<void> {
    async function* told(): AsyncGenerator<Buffer> {
      try {
        yield* tar
        response.addTrailers({ [MARK_TRAILER]: mark.value })
      } catch (error) {
        response.addTrailers({ [REFUSAL_TRAILER]: refusalOf(error) })
      }
    }
    response.writeHead(200, { 'content-type': 'application/x-tar' })
    await pipeline(told, response)
  }

  /** Uploads in parts: begins one, tells how far it is, adds to it, forgets it. */
  async #upload(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { uploads } = this.#worker
    if (request.url === '/upload/sweep') {
      await uploads.sweep()
      return sendJson(response, 200, {})
    }
    if (request.method === 'POST') {
      return sendJson(response, 200, await uploads.create(BegunUpload.parse(await readBody(request))))
    }
    const { id, userId, part, rights } = AskedUploadPart.parse(JSON.parse(String(request.headers[UPLOAD_HEADER])))
    const asked = { id, userId }
    if (request.method === 'GET' && rights !== undefined) {
      return sendJson(response, 200, await uploads.state(asked, rights))
    }
    if (request.method === 'PATCH' && part !== undefined) {
      return sendJson(response, 200, await uploads.write(asked, part, request))
    }
    if (request.method !== 'DELETE') throw new FileFailure('INVALID_REQUEST')
    await uploads.end(asked)
    return sendJson(response, 200, {})
  }

  async #write(path: string, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { 'content-length': length } = request.headers
    const bytes = length === undefined ? undefined : Number(length)
    const ended = (): number | undefined => {
      const said = request.trailers[BYTES_TRAILER]
      return said === undefined ? undefined : Number(said)
    }
    const replaces = replacedOf(request)
    const taken = request.headers[TAKEN_HEADER]
    const { limitBytes } = roomOf(request)
    const wish = taken === undefined ? {} : { wish: { taken: TakenName.parse(taken), limitBytes } }
    const written = await this.#worker.content.write(path, request, { bytes, ended, replaces, ...wish })
    sendJson(response, 200, written)
  }

  async #read(content: OpenContent, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { handle, size, etag, mtimeMs } = content
    try {
      const range = rangeOf(request.headers.range, size)
      const { from, to } = range ?? { from: 0, to: size - 1 }
      response.writeHead(range === undefined ? 200 : 206, {
        'content-type': 'application/octet-stream',
        'content-length': to - from + 1,
        'last-modified': new Date(mtimeMs).toUTCString(),
        etag,
        ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${size}` }),
      })
      const read = async (buffer: Buffer, length: number, at: number) =>
        (await handle.read(buffer, 0, length, at)).bytesRead
      await pipeline(chunks(read, { from, to }), response)
    } finally {
      await handle.close()
    }
  }

  /** The folder as a tar stream of known length, in the gzip format without compression. */
  #archive(path: string, response: Http2ServerResponse): Promise<void> {
    return this.#deps.root.inFolder(path, async (folder) => {
      const name = path.slice(path.lastIndexOf('/') + 1) || 'server'
      const plan = await planPack(folder.address, name)
      response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': storedLength(plan.bytes) })
      const tar = packFolder(folder.address, name, { bytes: plan.bytes, from: 0 })
      await pipeline(storedGzip(tar, { plainBytes: plan.bytes, from: START, passed: () => {} }), response)
    })
  }
}
