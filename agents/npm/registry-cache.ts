import fs from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { AgentError } from '../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import { listen } from '#platform/listen.ts'
import type { Log } from '#platform/logger.ts'
import { ContentStore, integrityOf, type Integrity, type StoreLimits } from './content-store.ts'
import { boundedText, PACKUMENT_LIMITS, PackumentStore, type PackumentLimits } from './packument-store.ts'
import { fileOf, Packument, servedFrom, wantedOf, type Wanted } from './packument.ts'
import { PreparedTrees } from './prepared-trees.ts'
import { TREES, type Tree, type TreePackage } from './trees/tree-catalog.ts'
import type { Upstream } from './upstream.ts'

/** npm's own variable for its registry. */
export const REGISTRY_VARIABLE = 'npm_config_registry'
const LIMITS: StoreLimits = { maxFileBytes: 512 * 1024 * 1024, maxTotalBytes: 4 * 1024 * 1024 * 1024 }
/** A younger packument is served without asking the registry. */
const FRESH_MS = 5 * 60_000
/** npm itself opens fifteen; a client that opens as many as it can must not starve the rest of the node. */
const MOST_CONNECTIONS = 64
const READ_BYTES = 1024 * 1024
const ABBREVIATED = 'application/vnd.npm.install-v1+json'

export interface RegistryCacheDeps {
  readonly folder: string
  readonly registry: string
  readonly upstream: Upstream
  readonly clock: Clock
  readonly disk: Disk
  readonly log: Log
  readonly limits?: StoreLimits
  readonly packumentLimits?: PackumentLimits
  /** Prepared trees by their names; those of the agent's own installers by default. */
  readonly trees?: ReadonlyMap<string, Tree>
}

/**
 * The node's npm cache: a registry that gives installers only GET. The agent alone talks to the real registry, verifies
 * each tarball against the registry's digest, and stores it under that digest. So one customer's installer cannot
 * affect another's, no server user needs rights on the cache's files, and the cache does not count as a customer's disk
 * space (docs/decisions/0006-npm-cache.md).
 */
export class RegistryCache {
  readonly #deps: RegistryCacheDeps
  readonly #content: ContentStore
  readonly #trees: PreparedTrees
  readonly #packuments: PackumentStore
  readonly #maxPackumentBytes: number
  /** Listeners by their address. */
  readonly #servers = new Map<string, Server>()
  readonly #fetching = new Map<string, Promise<unknown>>()
  #url: string | undefined
  #port = 0

  constructor(deps: RegistryCacheDeps) {
    this.#deps = deps
    const limits = deps.packumentLimits ?? PACKUMENT_LIMITS
    this.#packuments = new PackumentStore(`${deps.folder}/packuments`, deps.disk, limits)
    this.#maxPackumentBytes = limits.maxBytes
    this.#content = new ContentStore(`${deps.folder}/content`, deps.limits ?? LIMITS)
    this.#trees = new PreparedTrees({
      folder: `${deps.folder}/trees`,
      trees: deps.trees ?? TREES,
      tarballOf: (wanted) => this.#tarballOf(wanted),
    })
  }

  /** The address for installers on the node's own network, once it listens. */
  get url(): string | undefined {
    return this.#url
  }

  /** The port on every address; 0 before it is opened. */
  get port(): number {
    return this.#port
  }

  /**
   * Reuses the previous agent's port, so that an installation that outlived it finds its packages again; never a port
   * in `avoid`.
   */
  async open(host: string, avoid: readonly number[] = []): Promise<void> {
    const before = Number(this.#deps.disk.read(this.#portFile) ?? 0)
    let port = await this.#listen(host, before).catch(() => this.#listen(host, 0))
    while (avoid.includes(port)) {
      this.leave(host)
      port = await this.#listen(host, 0)
    }
    if (port !== before) this.#deps.disk.writeAtomically(this.#portFile, String(port))
    this.#port = port
    this.#url = urlOf(host, port)
  }

  /** Listens at an additional address of the node, on the same port. Resolves with the address for installers there. */
  async listenAt(host: string): Promise<string> {
    if (!this.#servers.has(host)) await this.#listen(host, this.#port)
    return urlOf(host, this.#port)
  }

  /** Stops listening at the address. */
  leave(host: string): void {
    const server = this.#servers.get(host)
    this.#servers.delete(host)
    server?.close()
    server?.closeAllConnections()
  }

  async #listen(host: string, port: number): Promise<number> {
    const server = createServer((request, response) => {
      const wanted = request.method === 'GET' || request.method === 'HEAD' ? wantedOf(request.url ?? '') : undefined
      if (wanted === undefined) return answer(response, request.method === 'GET' ? 404 : 405, {})
      return void this.#serve(wanted, response, host).catch((error: unknown) => this.#fail(error, response))
    })
    server.maxConnections = MOST_CONNECTIONS
    await listen(server, { port, host })
    this.#servers.set(host, server)
    return (server.address() as AddressInfo).port
  }

  get #portFile(): string {
    return `${this.#deps.folder}/port`
  }

  close(): void {
    this.#url = undefined
    for (const host of [...this.#servers.keys()]) this.leave(host)
  }

  /** `host` is the address by which the client reached the node: tarballs are served from there too. */
  async #serve(wanted: Wanted, response: ServerResponse, host: string): Promise<void> {
    if (wanted.is === 'tree') {
      const tree = await this.#once(`tree ${wanted.name}`, () => this.#trees.file(wanted.name))
      return tree === undefined ? answer(response, 404, { error: 'Not found' }) : sendFile(tree, response)
    }
    const packument = await this.#once(`packument ${wanted.name}`, () => this.#packument(wanted.name))
    if (packument === undefined) return answer(response, 404, { error: 'Not found' })
    if (wanted.is === 'packument') return answer(response, 200, servedFrom(packument, urlOf(host, this.#port)))
    const dist = Object.values(packument.versions).find((version) => fileOf(version.dist.tarball) === wanted.file)?.dist
    const integrity = dist === undefined ? undefined : integrityOf(dist)
    if (dist === undefined || integrity === undefined) return answer(response, 404, { error: 'Not found' })
    await sendFile(await this.#contentOf(integrity, dist.tarball), response)
  }

  /** The verified file of a tarball, fetched from its address if the node lacks it. */
  async #contentOf(integrity: Integrity, address: string): Promise<string> {
    const known = this.#content.find(integrity, new Date(this.#deps.clock.now()))
    if (known !== undefined) return known
    return this.#once(`content ${integrity.hex}`, async () => this.#content.write(integrity, await this.#get(address)))
  }

  /** The lock file names the digest, so the registry's description of the package is not needed. */
  async #tarballOf({ name, version, integrity: text }: TreePackage): Promise<string> {
    const integrity = integrityOf({ integrity: text })
    if (integrity === undefined) throw new AgentError('PACKAGE_REFUSED', `${name} has no digest that can be verified.`)
    const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`
    return this.#contentOf(integrity, `${this.#deps.registry}/${name}/-/${file}`)
  }

  /** The registry's packument; the last known one while it is unreachable. */
  async #packument(name: string): Promise<Packument | undefined> {
    const { clock, upstream, registry, log } = this.#deps
    const kept = this.#packuments.read(name)
    if (kept !== undefined && Math.abs(clock.now() - kept.atMs) < FRESH_MS) return kept.packument
    try {
      const etag = kept?.etag ?? undefined
      const headers = { accept: ABBREVIATED, ...(etag === undefined ? {} : { 'if-none-match': etag }) }
      const said = await upstream(`${registry}/${name.replace('/', '%2f')}`, headers)
      if (said.status === 304 && kept !== undefined) return this.#packuments.keep(name, { ...kept, atMs: clock.now() })
      if (said.status === 404) return undefined
      if (said.status !== 200) throw new AgentError('PACKAGE_REFUSED', `The registry answered ${said.status}.`)
      const packument = Packument.parse(JSON.parse(await boundedText(said.body, this.#maxPackumentBytes)))
      if (packument.name !== name) throw new AgentError('PACKAGE_REFUSED', 'The registry answered another package.')
      return this.#packuments.keep(name, { version: 1, etag: said.etag ?? null, atMs: clock.now(), packument })
    } catch (error) {
      if (kept === undefined) throw error
      log.warn({ err: error, package: name }, 'the registry does not answer, its last word is used')
      return kept.packument
    }
  }

  async #get(url: string): Promise<NodeJS.ReadableStream> {
    const { status, body } = await this.#deps.upstream(url, {})
    if (status !== 200) throw new AgentError('PACKAGE_REFUSED', `The registry answered ${status}.`)
    return body
  }

  /** Concurrent requests for the same key share one call. */
  #once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const running = this.#fetching.get(key) as Promise<T> | undefined
    if (running !== undefined) return running
    const asked = ask().finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, asked)
    return asked
  }

  #fail(error: unknown, response: ServerResponse): void {
    this.#deps.log.warn({ err: error }, 'a package could not be served')
    if (response.headersSent) response.destroy()
    else answer(response, 502, { error: error instanceof AgentError ? error.message : 'The node cannot fetch it now.' })
  }
}

const sendFile = async (file: string, response: ServerResponse): Promise<void> => {
  // Opened before anything is sent: the file may be gone.
  const handle = await fs.promises.open(file)
  const { size } = await handle.stat()
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  await pipeline(handle.createReadStream({ highWaterMark: READ_BYTES }), response)
}

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': status === 200 ? ABBREVIATED : 'application/json' })
  response.end(JSON.stringify(body))
}
