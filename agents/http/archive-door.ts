import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { TOKEN_SKEW_SECONDS, type ArchiveTokenClaims } from '#contracts/panel/token.ts'
import { isThere, packFolder } from '../archive/pack-folder.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { ServerListener } from '../servers/server-core.ts'
import type { ServerState } from '../servers/state-file.ts'
import type { ConsoleTokens } from './console-token.ts'
import type { Revocations } from './revocations.ts'
import type { UsedTokens } from './used-tokens.ts'

const PATH = /^\/servers\/([0-9a-f-]{36})\/archive$/
/** Each download reads the disk that running games write to. */
const MAX_AT_ONCE = 4
const RETRY_AFTER_SECONDS = 120
/** A client that reads nothing for this long is gone. */
const STALLED_MS = 60_000
/** States in which no program of the server runs or is about to. */
const AT_REST: readonly ServerState[] = ['offline', 'healthy', 'crashed', 'startup_failed', 'install_failed']

/** `maxAtOnce` and `stalledMs` are for tests. */
export interface ArchiveDoorDeps {
  readonly clock: Clock
  readonly log: Log
  readonly tokens: Pick<ConsoleTokens, 'readArchive'>
  readonly used: UsedTokens
  readonly revocations: Pick<Revocations, 'covers'>
  readonly maxAtOnce?: number
  readonly stalledMs?: number
  find(serverId: string): ManagedServer | undefined
}

type Headers = Readonly<Record<string, string>>
type RefusalCode = 'INVALID_TOKEN' | 'NOT_FOUND' | 'NOT_EXPIRED' | 'STILL_RUNNING' | 'BUSY' | 'METHOD_NOT_ALLOWED'

const STATUS: Readonly<Record<RefusalCode, number>> = {
  INVALID_TOKEN: 401,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_EXPIRED: 409,
  STILL_RUNNING: 409,
  BUSY: 503,
}

interface Download {
  readonly server: ManagedServer
  readonly claims: ArchiveTokenClaims
  readonly response: ServerResponse
}

const SAFE: Headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

/** Serves the archive of an expired server to the holder of a token, once per token. */
export class ArchiveDoor {
  readonly #deps: ArchiveDoorDeps
  readonly #downloads = new Set<Download>()

  constructor(deps: ArchiveDoorDeps) {
    this.#deps = deps
  }

  get downloads(): number {
    return this.#downloads.size
  }

  /** The server in the path, or undefined for another route. The query is never passed on. */
  serverOf(url: string | undefined): string | undefined {
    return PATH.exec((url ?? '').split('?')[0] ?? '')?.[1]
  }

  /**
   * Handles HEAD, which checks whether a GET would succeed without using the token up, and GET. Resolves when the
   * response has ended; never rejects. `headers` are part of every response.
   */
  async answer(request: IncomingMessage, response: ServerResponse, headers: Headers): Promise<void> {
    const refuse = (code: RefusalCode): void => this.#refuse(response, code, headers)
    const serverId = this.serverOf(request.url) ?? ''
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse('METHOD_NOT_ALLOWED')
    const token = new URLSearchParams((request.url ?? '').split('?')[1]).get('token') ?? ''
    const reading = await this.#deps.tokens.readArchive(token, serverId)
    if (!reading.ok || this.#deps.revocations.covers(reading.claims) || this.#deps.used.has(reading.claims))
      return refuse('INVALID_TOKEN')
    const server = this.#deps.find(serverId)
    if (server === undefined) return refuse('NOT_FOUND')
    const refusal = this.#refusalOf(server)
    if (refusal !== undefined) return refuse(refusal)
    if (request.method === 'HEAD') {
      if (!(await isThere(server.core.layout.root))) return refuse('NOT_FOUND')
      response.writeHead(200, { ...headers, ...SAFE }).end()
      return undefined
    }
    return this.#give({ server, claims: reading.claims, response }, headers)
  }

  /** Ends downloads with revoked tokens. */
  revoked(): void {
    for (const { claims, response } of this.#downloads) {
      if (this.#deps.revocations.covers(claims)) response.destroy()
    }
  }

  /** Ends every download: the agent is shutting down. */
  drain(): void {
    for (const { response } of this.#downloads) response.destroy()
  }

  #refusalOf(server: ManagedServer): RefusalCode | undefined {
    const { record, spec } = server.core
    if (spec === null || record.fencedAt !== null) return 'NOT_FOUND'
    const latestMs = this.#deps.clock.now() + TOKEN_SKEW_SECONDS * 1_000
    if (spec.expiresAtMs === undefined || spec.expiresAtMs > latestMs) return 'NOT_EXPIRED'
    if (!AT_REST.includes(record.state) || record.work !== null) return 'STILL_RUNNING'
    const ofServer = [...this.#downloads].some((download) => download.server === server)
    return ofServer || this.#downloads.size >= (this.#deps.maxAtOnce ?? MAX_AT_ONCE) ? 'BUSY' : undefined
  }

  #refuse(response: ServerResponse, code: RefusalCode, headers: Headers): void {
    const retry = code === 'BUSY' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}
    response.writeHead(STATUS[code], { ...headers, ...SAFE, ...retry, 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code, message: 'The folder cannot be taken.' } }))
  }

  async #give(download: Download, headers: Headers): Promise<void> {
    const { server, claims, response } = download
    const { core } = server
    const about = { serverId: core.id, userId: claims.sub }
    // Marked used before anything is awaited, so that of two concurrent requests one succeeds.
    this.#deps.used.add(claims)
    this.#downloads.add(download)
    const guard = tornBy(() => response.destroy())
    core.listeners.add(guard)
    try {
      await this.#stream(download, headers)
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
    }
  }

  async #stream({ server, response }: Download, headers: Headers): Promise<void> {
    const { layout, spec } = server.core
    const identifier = spec?.identifier ?? server.core.id
    const { archive, closed } = await packFolder(layout.root, identifier)
    response.setTimeout(this.#deps.stalledMs ?? STALLED_MS, () => response.destroy())
    response.writeHead(200, {
      ...headers,
      ...SAFE,
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${identifier}.tar.gz"`,
      connection: 'close',
    })
    try {
      // Worlds are compressed already: a higher level costs the node's games time and saves almost nothing.
      await pipeline(archive, createGzip({ level: constants.Z_BEST_SPEED }), response)
    } finally {
      await closed
    }
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
