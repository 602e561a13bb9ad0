import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OVERLOAD } from '#contracts/overload.ts'
import { ARCHIVE_REFUSALS, type ArchiveRefusal } from '#contracts/panel/agent-http.ts'
import { TOKEN_SKEW_SECONDS, type ArchiveTokenClaims } from '#contracts/panel/token.ts'
import { isThere, packFolder, planPack } from '../archive/pack-folder.ts'
import { START, storedGzip, storedLength, storedOffset } from '../archive/stored-gzip.ts'
import type { Clock } from '#platform/clock.ts'
import type { Ids } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { ServerListener } from '../servers/server-core.ts'
import type { ServerState } from '../servers/state-file.ts'
import type { Asked as Request } from './agent-router.ts'
import { ArchivePlaces, type ArchiveFigures, type RunningDownload } from './archive-places.ts'
import { ArchiveResumes, type BegunDownload } from './archive-resumes.ts'
import type { ConsoleTokens } from './console-token.ts'
import type { Revocations } from './revocations.ts'
import { SAFE_HEADERS } from './safe-headers.ts'
import type { UsedTokens } from './used-tokens.ts'

/** States in which no program of the server runs or is about to. */
const AT_REST: readonly ServerState[] = ['offline', 'healthy', 'crashed', 'startup_failed', 'install_failed']

/** `figures` are for tests. */
export interface ArchiveDoorDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Pick<Ids, 'bytes'>
  readonly log: Log
  readonly tokens: Pick<ConsoleTokens, 'readArchive'>
  readonly used: UsedTokens
  readonly revocations: Pick<Revocations, 'covers'>
  readonly figures?: Partial<ArchiveFigures>
  find(serverId: string): ManagedServer | undefined
}

type Headers = Readonly<Record<string, string>>
interface Download extends RunningDownload {
  readonly server: ManagedServer
  readonly claims: ArchiveTokenClaims
  readonly response: ServerResponse
}

interface Asked {
  readonly token: string
  /** The download that the request continues, from the byte `start` on. */
  readonly resume: { readonly begun: BegunDownload; readonly start: number } | undefined
}

/**
 * Serves the archive of an expired server to the holder of a token, once per token. A client that was cut resumes with
 * `Range` and `If-Range`.
 */
export class ArchiveDoor {
  readonly #deps: ArchiveDoorDeps
  readonly #figures: ArchiveFigures
  readonly #downloads = new Set<Download>()
  readonly #places: ArchivePlaces
  readonly #resumes: ArchiveResumes

  constructor(deps: ArchiveDoorDeps) {
    this.#deps = deps
    this.#figures = { ...OVERLOAD.agent.archives, ...deps.figures }
    this.#places = new ArchivePlaces(deps, this.#figures)
    this.#resumes = new ArchiveResumes(deps, this.#figures.resumeMs)
  }

  get downloads(): number {
    return this.#downloads.size
  }

  /**
   * Handles HEAD, which checks whether a GET would succeed without using the token up, and GET. Resolves when the
   * response has ended; never rejects.
   */
  async answer({ routed, request, response, headers }: Request): Promise<void> {
    const refuse = (code: ArchiveRefusal): void => this.#refuse(response, code, headers)
    const { serverId, query } = routed
    const token = query.get('token') ?? ''
    const resume = request.method === 'GET' ? this.#resumes.find(token, request.headers) : undefined
    const claims = await this.#claimsOf(serverId, { token, resume })
    if (claims === undefined) return refuse('INVALID_TOKEN')
    const server = this.#deps.find(serverId)
    if (server === undefined) return refuse('NOT_FOUND')
    const refusal = this.#refusalOf(server, claims)
    if (refusal !== undefined) return refuse(refusal)
    if (request.method === 'HEAD') {
      if (!(await isThere(server.core.layout.root))) return refuse('NOT_FOUND')
      response.writeHead(200, { ...headers, ...SAFE_HEADERS }).end()
      return undefined
    }
    const { socket } = response
    return this.#give(
      {
        server,
        claims,
        response,
        userId: claims.sub,
        bytes: () => (socket === null ? 0 : socket.bytesWritten - socket.writableLength),
        cut: () => response.destroy(),
      },
      { token, resume },
      headers,
    )
  }

  /** Ends downloads with revoked tokens. */
  revoked(): void {
    for (const { claims, response } of this.#downloads) {
      if (this.#deps.revocations.covers(claims)) response.destroy()
    }
    this.#resumes.forget((claims) => this.#deps.revocations.covers(claims))
  }

  /** Ends every download: the agent is shutting down. */
  drain(): void {
    for (const { response } of this.#downloads) response.destroy()
  }

  /** The claims of a token that may be used, or of the one with which a download began. */
  async #claimsOf(serverId: string, { token, resume }: Asked): Promise<ArchiveTokenClaims | undefined> {
    if (resume !== undefined) return resume.begun.claims.server === serverId ? resume.begun.claims : undefined
    const reading = await this.#deps.tokens.readArchive(token, serverId)
    if (!reading.ok || this.#deps.revocations.covers(reading.claims) || this.#deps.used.has(reading.claims))
      return undefined
    return reading.claims
  }

  #refusalOf(server: ManagedServer, { sub }: ArchiveTokenClaims): ArchiveRefusal | undefined {
    const { record, spec } = server.core
    if (spec === null || record.fencedAt !== null) return 'NOT_FOUND'
    const latestMs = this.#deps.clock.now() + TOKEN_SKEW_SECONDS * 1_000
    if (spec.expiresAtMs === undefined || spec.expiresAtMs > latestMs) return 'NOT_EXPIRED'
    if (!AT_REST.includes(record.state) || record.work !== null) return 'STILL_RUNNING'
    const ofServer = [...this.#downloads].some((download) => download.server === server)
    return ofServer || !this.#places.hasRoomFor(sub) ? 'BUSY' : undefined
  }

  #refuse(response: ServerResponse, code: ArchiveRefusal, headers: Headers): void {
    const retry = code === 'BUSY' ? { 'retry-after': String(this.#figures.retryAfterSeconds) } : {}
    response.writeHead(ARCHIVE_REFUSALS[code], {
      ...headers,
      ...SAFE_HEADERS,
      ...retry,
      'content-type': 'application/json',
    })
    response.end(JSON.stringify({ error: { code, message: 'The folder cannot be taken.' } }))
  }

  async #give(download: Download, asked: Asked, headers: Headers): Promise<void> {
    const { server, claims, response } = download
    const { core } = server
    const about = { serverId: core.id, userId: claims.sub }
    // Marked used before anything is awaited, so that of two concurrent requests one succeeds.
    if (asked.resume === undefined) this.#deps.used.add(claims)
    this.#downloads.add(download)
    this.#places.take(download)
    const guard = tornBy(() => response.destroy())
    core.listeners.add(guard)
    try {
      await this.#stream(download, asked, headers)
      this.#deps.log.info({ ...about, bytes: response.socket?.bytesWritten }, 'an archive was taken')
    } catch (error) {
      if (response.headersSent) this.#deps.log.info(about, 'an archive was broken off')
      else {
        this.#deps.log.error({ ...about, err: error }, 'an archive could not be begun')
        this.#refuse(response, 'NOT_FOUND', headers)
      }
    } finally {
      core.listeners.delete(guard)
      this.#downloads.delete(download)
      this.#places.leave(download)
    }
  }

  /** Sends the archive, or the rest of it if the folder has not changed since it began. */
  async #stream({ server, claims, response }: Download, { token, resume }: Asked, headers: Headers): Promise<void> {
    const { layout, spec } = server.core
    const identifier = spec?.identifier ?? server.core.id
    const plan = await planPack(layout.root, identifier)
    const total = storedLength(plan.bytes)
    const checkpoint = resume?.begun.plan.mark === plan.mark ? resume.begun.before(resume.start) : undefined
    const [begun, start, from] =
      resume === undefined || checkpoint === undefined
        ? [this.#resumes.begin(token, claims, plan), 0, START]
        : [resume.begun, resume.start, checkpoint]
    if (start >= total) return this.#refuse(response, 'NO_SUCH_RANGE', headers)
    response.setTimeout(this.#figures.stalledMs, () => response.destroy())
    response.writeHead(start === 0 ? 200 : 206, {
      ...headers,
      ...SAFE_HEADERS,
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${identifier}.tar.gz"`,
      'content-length': total - start,
      'accept-ranges': 'bytes',
      etag: begun.etag,
      ...(start === 0 ? {} : { 'content-range': `bytes ${start}-${total - 1}/${total}` }),
      connection: 'close',
    })
    const tar = packFolder(layout.root, identifier, { bytes: plan.bytes, from: from.offset })
    const gzip = storedGzip(tar, { plainBytes: plan.bytes, from, passed: begun.passed })
    const archive = Readable.from(withoutFirst(gzip, start - storedOffset(from)), { objectMode: false })
    try {
      await pipeline(archive, response)
      this.#resumes.end(token)
    } finally {
      // Its files are closed then.
      if (!archive.closed) await once(archive, 'close')
    }
  }
}

/** The pieces of a stream without its first bytes. */
async function* withoutFirst(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const piece of source) {
    if (piece.length > left) yield piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}

/** Ends the download when the server changes, because the archive would mix two points in time. */
const tornBy = (end: () => void): ServerListener => ({
  status: (state) => {
    if (!AT_REST.includes(state)) end()
  },
  installStarted: end,
  suspended: end,
  moved: end,
  deleted: end,
  installCompleted: () => {},
  message: () => {},
})
