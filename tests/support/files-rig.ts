import { generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import { request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

import { SignJWT } from 'jose'

import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { FILE_REFUSALS } from '#contracts/panel/file-refusals.ts'
import { FileJob, type JobKind } from '#contracts/panel/file-jobs.ts'
import type { NodeFileCall, NodeFileInput } from '#contracts/panel/node-files.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { listen } from '#platform/listen.ts'
import { silentLog } from '#platform/logger.ts'
import { isPublicAddress } from '#platform/public-address.ts'
import { FileJobs } from '../../agents/files/file-jobs.ts'
import { FileWorkers, type FileWorkerDeps } from '../../agents/files/file-workers.ts'
import { nodeNetwork } from '../../agents/files/pulling/node-network.ts'
import type { PullNetwork } from '../../agents/files/pulling/pull-source.ts'
import { ServerFiles } from '../../agents/files/server-files.ts'
import { createPublicServer } from '../../agents/http/agent-http.ts'
import type { ArchiveDoor } from '../../agents/http/archive-door.ts'
import { ConsoleTokens } from '../../agents/http/console-token.ts'
import { FilesDoor } from '../../agents/http/files-door.ts'
import type { PanelDoor, DoorDeps } from '../../agents/http/panel-door.ts'
import { PortsDoor } from '../../agents/http/ports-door.ts'
import { Revocations } from '../../agents/http/revocations.ts'
import { UsedTokens } from '../../agents/http/used-tokens.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { nextId, NODE_ID, SERVER_ID, SESSION_ID, USER_ID } from '../factories/server-spec.ts'
import type { Bundles } from '../../agents/platform/bundles.ts'
import { quotasOf, type QuotaName, type Quotas } from '../../agents/quota/catalog.ts'
import type { StorageUse } from '../../agents/quota/quota-driver.ts'
import { systemTimers } from '../../agents/platform/timers.ts'
import type { ServerLayout } from '../../agents/servers/layout.ts'
import { ownerOf, prepareFiles } from '../../agents/servers/server-folders.ts'
import { bundleForTest } from './agent-bundles.ts'
import { ownUsers } from './own-users.ts'
import { refusalOutside } from './refusal-outside.ts'
import { ServerRig } from './server-rig.ts'
import { waitFor } from './wait-for.ts'

export const SITE = 'http://site.test'
export const IDENTIFIER = 'acdefghk'
/** By the rate of calls in contracts/overload.ts. */
const BETWEEN_CALLS_MS = 100
const DAY_MS = 24 * 3_600_000
const isRoot = process.getuid?.() === 0

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
  readonly json: unknown
}

/** The Bearer header, body and further headers of a request. */
export interface Asked {
  readonly method?: string
  readonly token?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: Buffer | string | undefined
}

type Activity = Parameters<DoorDeps['activity']>[0]

/** A node with one running server, its folder under a user of its own, and the listener with the files' door. */
export class FilesRig {
  readonly rig = new ServerRig()
  readonly activities: Activity[] = []
  readonly revocations: Revocations
  readonly tokens: ConsoleTokens
  /** Bytes that the server's folder and the node's area are said to take. */
  #usage = { bytes: 0, ownBytes: 0 }
  #measurement = 0
  /** No host has an address, until a test gives it one. */
  network: PullNetwork = { ...nodeNetwork(() => []), resolve: () => Promise.resolve([]), isAllowed: isPublicAddress }
  /** The longest time of a job, from the next `openDoor` on. */
  lastMs = 3_600_000
  readonly uid = ownUsers() + 77
  /** Users of further servers, where they differ. */
  readonly #uids = new Map<string, number>()
  readonly #signing = generateKeyPairSync('ed25519')
  #opened: { door: FilesDoor; listener: Server; workers: FileWorkers; files: ServerFiles } | undefined
  #bundles: Bundles | undefined
  /** The drivers that measure and bound the storage; without them a test says what is used. */
  #quotas: Quotas | undefined

  private constructor() {
    const { clock, folder } = this.rig
    // Now, because tokens are checked against it and workers have the real time.
    clock.set(Date.now())
    fs.chmodSync(folder, 0o755)
    this.revocations = new Revocations(realDisk, path.join(folder, 'revocations.json'), clock)
    this.tokens = new ConsoleTokens(clock, () => NODE_ID)
  }

  static async open(change: Partial<ServerSpec> = {}, quota?: QuotaName): Promise<FilesRig> {
    const made = new FilesRig()
    if (quota === undefined) await made.rig.agent()
    else await made.openAgent(quota)
    await made.tokens.learn([{ kid: 'key', x: String(made.#signing.publicKey.export({ format: 'jwk' }).x) }])
    await made.addServer(SERVER_ID, IDENTIFIER, change)
    made.#bundles = await bundleForTest(made.rig.folder)
    await made.openDoor()
    return made
  }

  /** A new agent on this machine whose servers have real storage; the one before is gone as after kill -9. */
  async openAgent(quota: QuotaName): Promise<void> {
    const quotas = quotasOf(quota, { clock: this.rig.clock, timers: systemTimers })
    this.#quotas = quotas
    const releaseFiles = async ({ id: serverId, layout }: { id: string; layout: ServerLayout }) =>
      this.#opened?.workers.end({ serverId, stateFile: layout.fileWorkerFile })
    await this.rig.agent({
      change: {
        quotas,
        releaseFiles,
        ownerOf,
        prepareFiles: (server, wipe) =>
          prepareFiles({ ...server, uid: this.uid }, { quotas, log: silentLog, ownUser: isRoot, releaseFiles, wipe }),
      },
    })
  }

  /** Where the files of the server lie. */
  get layout(): ServerLayout {
    return this.rig.server().core.layout
  }

  get root(): string {
    return this.layout.root
  }

  /** As if the node had measured this. */
  set usage(usage: { bytes: number; ownBytes: number }) {
    this.#usage = usage
    this.#measurement += 1
  }

  /** Measures the server's storage now. */
  async measure(): Promise<StorageUse> {
    if (this.#quotas === undefined) throw new Error('A driver measures the storage.')
    return this.#quotas.of(this.layout).measure(this.layout)
  }

  /** The storage of the server. */
  get limitBytes(): number {
    return (this.rig.manager.find(SERVER_ID)?.core.spec?.limits.storageMiB ?? 0) * 1024 * 1024
  }

  get area(): string {
    return this.layout.files
  }

  get door(): FilesDoor {
    return this.#present.door
  }

  get serverFiles(): ServerFiles {
    return this.#present.files
  }

  get workers(): FileWorkers {
    return this.#present.workers
  }

  get #present() {
    if (!this.#opened) throw new Error('No door was opened.')
    return this.#opened
  }

  /** An installed server; returns its empty folder. */
  async addServer(
    id: string,
    identifier: string,
    { uid = this.uid, ...change }: Partial<ServerSpec> & { uid?: number } = {},
  ): Promise<string> {
    this.#uids.set(id, uid)
    await this.rig.install({ id, identifier, expiresAtMs: this.rig.clock.now() + 30 * DAY_MS, ...change })
    const folder = this.rig.server(id).core.layout.root
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (isRoot) fs.chownSync(folder, uid, uid)
    return folder
  }

  /** Replaces door and workers, as after a restart of the agent. */
  async openDoor(figures?: FileWorkerDeps['figures']): Promise<void> {
    await this.#closeDoor()
    const { clock, manager, folder } = this.rig
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const workers = new FileWorkers({
      program: this.#bundles?.fileWorker ?? '',
      unpacker: this.#bundles?.unpacker ?? '',
      log,
      began: () => {},
      ended: () => {},
      ...(figures === undefined ? {} : { figures }),
    })
    for (const server of manager.all()) {
      Object.assign(server.core, { uid: this.#uids.get(server.core.id) ?? this.uid })
    }
    const files = new ServerFiles({
      clock,
      workers,
      ownUser: isRoot,
      usage: ({ core: { layout } }) =>
        this.#quotas?.of(layout).usageOf(layout) ?? { ...this.#usage, measurement: this.#measurement },
    })
    const door = new FilesDoor({
      clock,
      log,
      tokens: this.tokens,
      revocations: this.revocations,
      used: new UsedTokens(realDisk, path.join(folder, 'used-tokens.json'), clock),
      files,
      sftp: () => ({ port: 2022, fingerprint: 'SHA256:test' }),
      network: this.network,
      jobs: new FileJobs({ clock, log, disk: realDisk, ids: { next: nextId }, figures: { lastMs: this.lastMs } }),
      find: (id) => manager.find(id),
      activity: (entry) => void this.activities.push(entry),
    })
    const panel = { knowsOrigin: (origin?: string) => origin === SITE } as unknown as PanelDoor
    const archives = {} as unknown as ArchiveDoor
    const ports = new PortsDoor({
      clock,
      log,
      tokens: this.tokens,
      revocations: this.revocations,
      find: (id) => manager.find(id),
    })
    const listener = createPublicServer({ panel, archives, files: door, ports }) as Server
    await listen(listener, { port: 0, host: '127.0.0.1' })
    this.#opened = { door, listener, workers, files }
  }

  async #closeDoor(): Promise<void> {
    if (this.#opened === undefined) return
    const { door, listener, workers } = this.#opened
    door.drain()
    listener.closeAllConnections()
    listener.close()
    await workers.close()
    await waitFor('the end of the requests', () => door.running === 0)
  }

  async close(): Promise<void> {
    await this.#closeDoor()
    for (const { core } of this.rig.manager.all()) await this.#quotas?.of(core.layout).remove(core.layout)
    this.rig.remove()
  }

  /** A token as the control plane signs it, with the test's changes. */
  token(change: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const iat = Math.floor(this.rig.clock.now() / 1_000)
    return new SignJWT({
      iss: 'bakter-control-plane',
      aud: NODE_ID,
      sub: USER_ID,
      sid: SESSION_ID,
      jti: nextId(),
      iat,
      exp: iat + 600,
      purpose: 'files',
      server: SERVER_ID,
      permissions: PERMISSIONS,
      address: '192.0.2.7',
      ...change,
    })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'key', typ: 'files+jwt', ...header })
      .sign(this.#signing.privateKey)
  }

  downloadToken(file: string, change: Record<string, unknown> = {}): Promise<string> {
    return this.token({ purpose: 'download', path: file, permissions: undefined, ...change }, { typ: 'download+jwt' })
  }

  get port(): number {
    return (this.#present.listener.address() as AddressInfo).port
  }

  /** One request to the node, with a full token unless the test gives another one. */
  async ask(target: string, { method = 'GET', token, headers = {}, body }: Asked = {}): Promise<Answer> {
    // A test asks faster than a person: the time that its calls would take passes.
    this.rig.clock.set(this.rig.clock.now() + BETWEEN_CALLS_MS)
    const bearer = token ?? (await this.token())
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const request = httpRequest({
        host: '127.0.0.1',
        port: this.port,
        method,
        path: target,
        agent: false,
        headers: { origin: SITE, authorization: `Bearer ${bearer}`, ...length, ...headers },
      })
      request.once('error', reject)
      request.once('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.once('error', reject)
        response.once('end', () => {
          const bytes = Buffer.concat(pieces)
          const isJson = bytes.length > 0 && response.headers['content-type'] === 'application/json'
          const json: unknown = isJson ? JSON.parse(bytes.toString()) : undefined
          const unnamed = refusalOutside({ method, target, json })
          if (unnamed !== undefined) reject(new Error(unnamed))
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, json })
        })
      })
      request.end(body)
    })
  }

  call<Call extends NodeFileCall>(call: Call, input: NodeFileInput<Call>, asked: Asked = {}): Promise<Answer> {
    const body = JSON.stringify(input)
    return this.ask(`/servers/${SERVER_ID}/files/${call}`, { method: 'POST', body, ...asked })
  }

  /** A job from its start to its end, as the list of jobs has it then. */
  async job<Kind extends JobKind>(kind: Kind, input: NodeFileInput<Kind>, asked: Asked = {}): Promise<FileJob> {
    const answer = await this.call(kind, input, asked)
    if (answer.status !== 200) throw new Error(`${kind}: ${String(codeOf(answer))}`)
    return this.ended(FileJob.parse((answer.json as { job: unknown }).job))
  }

  /** The job when it is over. */
  async ended(job: FileJob): Promise<FileJob> {
    if (job.endedAtMs !== null) return job
    return waitFor(
      'the end of the job',
      async () => {
        const { jobs } = (await this.call('jobs', { deletionJobs: true })).json as { jobs: FileJob[] }
        return jobs.find(({ id, endedAtMs }) => id === job.id && endedAtMs !== null)
      },
      120_000,
    )
  }

  /** As `call` for a job, once it has ended: its failure looks like the refusal of a call. */
  async settled<Kind extends JobKind>(kind: Kind, input: NodeFileInput<Kind>): Promise<Answer> {
    const answer = await this.call(kind, input)
    if (answer.status !== 200) return answer
    const job = await this.ended(FileJob.parse((answer.json as { job: unknown }).job))
    if (job.refusal === null) return { ...answer, json: job }
    return { ...answer, status: FILE_REFUSALS[job.refusal], json: { error: { code: job.refusal } } }
  }

  read(file: string, asked: Asked = {}): Promise<Answer> {
    return this.ask(`/servers/${SERVER_ID}/files/content?path=${encodeURIComponent(file)}`, asked)
  }

  write(file: string, body: Buffer | string, headers: Record<string, string> = {}, asked: Asked = {}): Promise<Answer> {
    const target = `/servers/${SERVER_ID}/files/content?path=${encodeURIComponent(file)}`
    return this.ask(target, { method: 'PUT', body, headers, ...asked })
  }

  /** A file as a program of the server writes it. */
  put(file: string, content: string | Buffer = 'content'): string {
    const target = path.join(this.root, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
    this.own()
    return target
  }

  /** Gives everything in the server's folder to its user. */
  own(): void {
    if (!isRoot) return
    const give = (folder: string): void => {
      for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const target = path.join(folder, entry.name)
        fs.lchownSync(target, this.uid, this.uid)
        if (entry.isDirectory()) give(target)
      }
    }
    give(this.root)
  }

  /** Removes everything in the server's folder. */
  clear(): void {
    for (const name of fs.readdirSync(this.root)) fs.rmSync(path.join(this.root, name), { recursive: true })
  }

  text(file: string): string {
    return fs.readFileSync(path.join(this.root, file), 'utf8')
  }

  exists(file: string): boolean {
    return fs.existsSync(path.join(this.root, file))
  }

  /** Everything below the server's folder, sorted. */
  tree(): string[] {
    return fs.readdirSync(this.root, { recursive: true, encoding: 'utf8' }).sort()
  }
}

export const codeOf = ({ json }: Answer): unknown => (json as { error?: { code?: unknown } }).error?.code
