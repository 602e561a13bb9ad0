import type { IncomingMessage } from 'node:http'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import { OVERLOAD } from '#contracts/overload.ts'
import { FILE_REFUSALS, type FileErrorBody, type FileRefusal } from '#contracts/panel/file-refusals.ts'
import type { FileJob, JobResult, WorkerJob } from '#contracts/panel/file-jobs.ts'
import type { NodeFileCall, NodeFileOutput, NodeFileRequest } from '#contracts/panel/node-files.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { DownloadTokenClaims, FilesTokenClaims } from '#contracts/panel/token.ts'
import { attachmentDisposition } from '#platform/attachment-disposition.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import { FileFailure, refusalOf } from '../files/file-failure.ts'
import type { NamedWork } from '../files/job-work.ts'
import { pull, type PullTarget } from '../files/pulling/pulling.ts'
import type { PullNetwork } from '../files/pulling/pull-source.ts'
import type { ServerFiles } from '../files/server-files.ts'
import type { FileJobs, JobOwner } from '../files/file-jobs.ts'
import { answerOf, endWith, runJob, textOf, type WorkerAnswer } from '../files/worker-answers.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Asked, Routed } from './agent-router.ts'
import type { ConsoleTokens } from './console-token.ts'
import { activityOf, endedActivity } from './file-activity.ts'
import { otherSide, runTransfer, type TransferSide } from './file-transfers.ts'
import { MESSAGES } from './file-messages.ts'
import { FilePlaces } from './file-places.ts'
import {
  isJobCall,
  jobAbout,
  listedFor,
  replacesFiles,
  startedAnswer,
  waitsForEnd,
  type JobCall,
} from './file-job-calls.ts'
import { bearerOf, contentPath, neededBy, permissionsFor, readCall } from './file-requests.ts'
import { MissingPermission, refuseMissing } from './missing-permission.ts'
import type { PersonActivity } from './panel-session.ts'
import { presentServer } from './present-server.ts'
import type { Revocations } from './revocations.ts'
import { FILE_HEADERS as SAFE } from './safe-headers.ts'
import { answerUpload, askedBy } from './upload-door.ts'
import { TUS_HEADERS } from './upload-headers.ts'
import type { UsedTokens } from './used-tokens.ts'

const { stalledMs, retryAfterSeconds } = OVERLOAD.agent.files

/** Calls that read for long and change nothing: they end when nobody waits for them. */
const ENDED_WITH_CLIENT: readonly NodeFileCall[] = ['upload-sums', 'search', 'folder-size']

type Headers = Readonly<Record<string, string>>
type Claims = FilesTokenClaims | DownloadTokenClaims

export interface FilesDoorDeps {
  readonly clock: Clock
  readonly log: Log
  readonly tokens: Pick<ConsoleTokens, 'readFiles' | 'readDownload'>
  readonly used: UsedTokens
  readonly revocations: Pick<Revocations, 'covers'>
  readonly files: ServerFiles
  /** Where SFTP is on this node. */
  sftp(): NodeFileOutput<'sftp'>
  readonly jobs: FileJobs<FilesTokenClaims>
  /** The web, for pulls. */
  readonly network: PullNetwork
  find(serverId: string): ManagedServer | undefined
  activity(entry: PersonActivity): void
}

/** A request that was admitted. */
interface Admitted extends Asked {
  readonly claims: Claims
  readonly server: ManagedServer
}

/** The holder of a token, and the server that they change. */
type Owner = Pick<Admitted, 'claims' | 'server'>

/**
 * Serves the files of servers to the holders of tokens: calls, content, downloads. It decides who may do what; a worker under
 * the server's own user does it.
 */
export class FilesDoor {
  readonly #deps: FilesDoorDeps
  readonly #places: FilePlaces
  readonly #running = new Map<Admitted, () => void>()

  constructor(deps: FilesDoorDeps) {
    this.#deps = deps
    this.#places = new FilePlaces(deps.clock)
  }

  get running(): number {
    return this.#running.size
  }

  /** Resolves when the response has ended; never rejects. */
  async answer(asked: Asked): Promise<void> {
    const { serves, limits } = asked.routed.call
    const isTus = serves === 'uploads' || serves === 'upload'
    const open = isTus ? { ...asked, headers: { ...asked.headers, ...TUS_HEADERS } } : asked
    try {
      const admitted = await this.#admit(open)
      const leave = this.#places.take(admitted.claims.sub, limits.place === 'transfer')
      this.#running.set(admitted, () => open.response.destroy())
      try {
        await this.#serve(admitted)
      } finally {
        this.#running.delete(admitted)
        leave()
      }
    } catch (error) {
      this.#refuse(open, error)
    }
  }

  /** Cuts what runs with revoked tokens. */
  revoked(): void {
    const { revocations, jobs } = this.#deps
    for (const [{ claims }, cut] of this.#running) if (revocations.covers(claims)) cut()
    jobs.cancelWhere((claims) => revocations.covers(claims))
  }

  /** Ends everything: the agent is shutting down. */
  drain(): void {
    this.#deps.jobs.close()
    for (const cut of this.#running.values()) cut()
  }

  async #admit(open: Asked): Promise<Admitted> {
    const { routed, request } = open
    const { call, serverId } = routed
    const claims = await this.#claimsOf(routed, request)
    const server = presentServer(this.#deps.find(serverId))
    if (claims.seesAs === true && call.effect !== 'look') throw new FileFailure('SEEING_AS')
    if ('permissions' in claims) refuseMissing(claims, permissionsFor(call, request))
    if (call.effect === 'change' && this.#deps.files.isReadOnly(server)) throw new FileFailure('READ_ONLY')
    return { ...open, claims, server }
  }

  async #claimsOf({ call, serverId, query }: Routed, request: IncomingMessage): Promise<Claims> {
    const { tokens, revocations, used } = this.#deps
    const reading =
      call.token?.purpose === 'download'
        ? await tokens.readDownload(query.get('token') ?? '', serverId)
        : await tokens.readFiles(bearerOf(request), serverId)
    if (!reading.ok || revocations.covers(reading.claims)) throw new FileFailure('INVALID_TOKEN')
    if (reading.claims.purpose === 'download' && used.has(reading.claims)) throw new FileFailure('INVALID_TOKEN')
    return reading.claims
  }

  async #serve(admitted: Admitted): Promise<void> {
    const { call, uploadId, query } = admitted.routed
    if (call.call !== undefined) return this.#call(admitted, call.call)
    if (call.serves === 'download') return this.#download(admitted)
    if (call.serves === 'uploads') return this.#upload(admitted, undefined)
    if (call.serves === 'upload') return this.#upload(admitted, uploadId)
    const path = contentPath(query.get('path') ?? '')
    if (call.method === 'PUT') return this.#write(admitted, path)
    const version = query.get('version')
    return this.#read(admitted, version === null ? { path } : { path, version })
  }

  async #call(admitted: Admitted, call: NodeFileCall): Promise<void> {
    const body = await readCall(call, admitted.request)
    if (call === 'usage') return this.#send(admitted, 200, this.#deps.files.usage(admitted.server))
    if (call === 'running-since') return this.#send(admitted, 200, { sinceMs: admitted.server.core.runningSinceMs })
    if (call === 'sftp') return this.#send(admitted, 200, this.#deps.sftp())
    if (isJobCall(call)) return this.#send(admitted, 200, await this.#job(admitted, call, body))
    const text = JSON.stringify(askedBy(admitted.claims, call, body))
    return this.#work(admitted, async (session, room) => {
      const stream = session.request({ ':method': 'POST', ':path': `/call/${call}`, ...room })
      if (ENDED_WITH_CLIENT.includes(call)) endWith(admitted.response, stream)
      stream.end(text)
      const answer = await answerOf(stream)
      const json: unknown = JSON.parse(await textOf(stream))
      if (answer[':status'] === 200) this.#note(admitted, activityOf(call, body, json))
      if (call === 'end-upload' && answer[':status'] === FILE_REFUSALS.FORBIDDEN)
        throw new MissingPermission('file.update')
      this.#send(admitted, answer[':status'] ?? 500, json)
    })
  }

  /** Calls about jobs: their list, the end of one, and the start of each kind. */
  async #job({ routed, server, claims }: Admitted, call: JobCall, body: unknown): Promise<unknown> {
    const { jobs } = this.#deps
    if (claims.purpose !== 'files') throw new FileFailure('INVALID_TOKEN')
    const owner: JobOwner<FilesTokenClaims> = {
      serverId: server.core.id,
      recordFile: server.core.layout.fileJobsFile,
      claims,
    }
    if (call === 'jobs') return { jobs: listedFor(jobs.list(owner), body) }
    const mayAll = claims.permissions.includes('file.update')
    if (call === 'end-job') {
      jobs.end(owner, { ...(body as NodeFileRequest<'end-job'>), mayAll })
      return {}
    }
    if (replacesFiles(call, body)) refuseMissing(claims, neededBy(routed.call, { creates: false, replaces: true }))
    if (call === 'transfer') return { job: await this.#transfer(owner, { server, claims }, body) }
    const waits = waitsForEnd(call, body)
    const job = await jobs.start({ ...owner, waits }, jobAbout(call, body), async (work) => {
      if (call === 'pull') return this.#pull({ claims, server }, body as NodeFileRequest<'pull'>, work)
      return this.#workerJob({ claims, server }, { kind: call, body }, work)
    })
    return startedAnswer(call, body, job)
  }

  async #workerJob(owner: Owner, asked: { kind: WorkerJob; body: unknown }, work: NamedWork): Promise<JobResult> {
    const { kind, body } = asked
    try {
      const result = await this.#deps.files.use(owner.server, (session, room) =>
        runJob(session, { ...asked, room }, work),
      )
      this.#note(owner, activityOf(kind, body, result))
      return result
    } catch (error) {
      // Some of it may be deleted, and nobody knows how much.
      this.#note(owner, endedActivity(kind, body))
      throw error
    }
  }

  async #transfer(owner: JobOwner<FilesTokenClaims>, source: TransferSide, body: unknown): Promise<FileJob> {
    const { files, jobs } = this.#deps
    const request = body as NodeFileRequest<'transfer'>
    const target = await otherSide(this.#deps, request, source)
    const other = { serverId: target.server.core.id, claims: target.claims }
    const running = { request, sides: [source, target] as const, files, note: this.#note.bind(this) }
    return jobs.start({ ...owner, other }, jobAbout('transfer', body), (work) => runTransfer(running, work))
  }

  async #pull(owner: Owner, request: NodeFileRequest<'pull'>, work: NamedWork): Promise<JobResult> {
    const { files, network } = this.#deps
    const target: PullTarget = { use: (run) => files.use(owner.server, run) }
    const pulled = await pull(request, { network, target }, work)
    this.#note(owner, activityOf('pull', request, pulled))
    return { refusals: [], leftOut: [], leftOutCount: 0 }
  }

  #read(admitted: Admitted, what: Record<string, string>): Promise<void> {
    const { range } = admitted.request.headers
    return this.#work(admitted, async (session) => {
      const stream = session.request({
        ':path': `/content?${new URLSearchParams(what).toString()}`,
        ...(range === undefined ? {} : { range }),
      })
      await this.#pass(admitted, { stream, answer: await answerOf(stream) })
    })
  }

  async #write(admitted: Admitted, path: string): Promise<void> {
    const { request, server } = admitted
    const { 'content-length': length, 'if-match': match, 'if-none-match': noneMatch } = request.headers
    if (length === undefined || !/^\d{1,15}$/.test(length)) throw new FileFailure('INVALID_REQUEST')
    if (Number(length) > this.#deps.files.freeBytes(server)) throw new FileFailure('NO_SPACE')
    request.setTimeout(stalledMs, () => request.destroy())
    return this.#work(admitted, async (session, room) => {
      const stream = session.request({
        ...room,
        ':method': 'PUT',
        ':path': `/content?path=${encodeURIComponent(path)}`,
        'content-length': length,
        ...(match === undefined ? {} : { 'if-match': match }),
        ...(noneMatch === undefined ? {} : { 'if-none-match': noneMatch }),
      })
      // A client that is gone leaves its part unfinished, and the worker throws it away.
      const sent = pipeline(request, stream, { end: true }).catch(() => stream.destroy())
      const answer = await answerOf(stream)
      const json: unknown = JSON.parse(await textOf(stream))
      if (answer[':status'] === 200) {
        await sent
        this.#note(admitted, { type: match === undefined ? 'server:file.uploaded' : 'server:file.write', detail: path })
      }
      this.#send(admitted, answer[':status'] ?? 500, json)
    })
  }

  #upload(admitted: Admitted, id: string | undefined): Promise<void> {
    const { claims, request, response, headers, server } = admitted
    const isReadOnly = this.#deps.files.isReadOnly(server)
    if (claims.purpose !== 'files') throw new FileFailure('INVALID_TOKEN')
    return this.#work(admitted, async (session, room) => {
      const answer = await answerUpload({ request, claims, id, isReadOnly, session, room })
      this.#note(admitted, answer.activity)
      response.writeHead(answer.status, { ...headers, ...SAFE, ...answer.headers })
    })
  }

  async #download(admitted: Admitted): Promise<void> {
    const { claims, request, response, headers } = admitted
    if (claims.purpose !== 'download') throw new FileFailure('INVALID_TOKEN')
    const { path } = claims
    return this.#work(admitted, async (session) => {
      const ask = (where: string): ClientHttp2Stream =>
        session.request({ ':path': `/${where}?path=${encodeURIComponent(path)}` })
      let [stream, name] = [ask('content'), nameOf(path)]
      let answer = await answerOf(stream)
      if (answer[':status'] === FILE_REFUSALS.NOT_A_FILE) {
        stream.destroy()
        ;[stream, name] = [ask('archive'), `${nameOf(path)}.tar.gz`]
        answer = await answerOf(stream)
      }
      if (request.method === 'HEAD' && answer[':status'] === 200) {
        stream.destroy()
        response.writeHead(200, { ...headers, ...SAFE }).end()
        return
      }
      if (answer[':status'] === 200) {
        // Used before anything is awaited again, so that of two concurrent requests one succeeds.
        if (this.#deps.used.has(claims)) throw new FileFailure('INVALID_TOKEN')
        this.#deps.used.add(claims)
        this.#note(admitted, { type: 'server:file.download', detail: path })
      }
      const more = { 'content-disposition': attachmentDisposition(name), connection: 'close' }
      await this.#pass(admitted, { stream, answer, more })
    })
  }

  /** Passes a worker's response on as it is, with our own headers. */
  async #pass({ response, headers }: Admitted, { stream, answer, more = {} }: Passed): Promise<void> {
    const passed = ['content-type', 'content-length', 'content-range', 'etag', 'last-modified'] as const
    const kept = Object.fromEntries(
      passed.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]])),
    )
    response.writeHead(answer[':status'] ?? 500, { ...headers, ...SAFE, ...kept, 'accept-ranges': 'bytes', ...more })
    response.setTimeout(stalledMs, () => response.destroy())
    await pipeline(stream, response).catch((error: unknown) => {
      response.destroy()
      this.#deps.log.info({ err: error }, 'a transfer of files was cut')
    })
  }

  async #work(
    { server, response }: Admitted,
    run: (session: ClientHttp2Session, room: Record<string, string>) => Promise<void>,
  ): Promise<void> {
    await this.#deps.files.use(server, run)
    if (!response.writableEnded) response.end()
  }

  #note({ claims, server }: Owner, entry: { readonly type: string; readonly detail: string } | undefined): void {
    if (entry === undefined) return
    const { sub: userId, address, way = 'panel' } = claims
    const { type, detail } = entry
    this.#deps.activity({ serverId: server.core.id, userId, address, way, type, detail: detail.slice(0, 500) })
  }

  #send({ response, headers }: Pick<Asked, 'response' | 'headers'>, status: number, body: unknown): void {
    if (response.headersSent || response.destroyed) return
    response.writeHead(status, { ...headers, ...SAFE, 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
    // A browser reads the answer once it has sent its body, or given up; the listener cuts it if that takes long.
    response.req.resume()
  }

  #refuse(open: Asked, error: unknown): void {
    const code: FileRefusal = refusalOf(error)
    if (code === 'INTERNAL') this.#deps.log.error({ err: error }, 'a request about files failed')
    if (open.response.headersSent) return void open.response.destroy()
    const permission = error instanceof MissingPermission ? { permission: error.permission } : {}
    const body: FileErrorBody = { error: { code, message: MESSAGES[code] ?? 'This is not possible.', ...permission } }
    // Nobody reads what a stranger goes on sending.
    const isStranger = code === 'INVALID_TOKEN' && !open.request.complete
    const more: Headers = {
      ...(code === 'BUSY' ? { 'retry-after': String(retryAfterSeconds) } : {}),
      ...(isStranger ? { connection: 'close' } : {}),
    }
    this.#send({ response: open.response, headers: { ...open.headers, ...more } }, FILE_REFUSALS[code], body)
    return undefined
  }
}

/** A response of a worker on its way to a client. */
interface Passed {
  readonly stream: ClientHttp2Stream
  readonly answer: WorkerAnswer
  readonly more?: Headers
}
