import fs from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import path from 'node:path'

import { FileJob, type JobKind } from '#contracts/panel/file-jobs.ts'
import { agentPath, BELOW_FILES } from '#contracts/panel/agent-paths.ts'
import type { NodeFileCall, NodeFileInput } from '#contracts/panel/node-files.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { isAlive, recordedIdentity, statFields, type ProcessIdentity } from '../../agents/platform/process-identity.ts'
import { layoutOf } from '../../agents/servers/layout.ts'
import { buildServerSpec, nextId, SERVER_ID } from '../factories/server-spec.ts'
import { scratchFolder } from './agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from './agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from './control-plane-stand-in.ts'
import { waitFor } from './wait-for.ts'

const FILES = agentPath('files', SERVER_ID)
const STOPPED = 'T'

export interface AgentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly json: unknown
}

export interface AgentAsked {
  readonly method?: string
  /** `null` sends none; without it the request carries a token for files with every permission. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

/** The whole answer, its JSON read. */
const readAnswer = async (response: IncomingMessage): Promise<AgentAnswer> => {
  const pieces: Buffer[] = []
  for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const isJson = bytes.length > 0 && response.headers['content-type'] === 'application/json'
  const json: unknown = isJson ? JSON.parse(bytes.toString()) : undefined
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, json }
}

/** The code of a refusal; undefined for an answer that is none. */
export const refusalIn = ({ json }: Pick<AgentAnswer, 'json'>): unknown =>
  (json as { error?: { code?: unknown } } | undefined)?.error?.code

/** The agent as it is delivered, as a process of its own, with one installed server whose files are asked for over HTTP. */
export class FilesAgent {
  readonly controlPlane = new ControlPlaneStandIn()
  readonly #scratch = scratchFolder()
  readonly #env: Record<string, string>
  #bundled: Awaited<ReturnType<typeof bundleAgent>> | undefined
  #url = ''
  #agent: AgentUnderTest | undefined

  private constructor(env: Record<string, string>) {
    this.#env = env
  }

  static async open(change: Partial<ServerSpec> = {}, env: Record<string, string> = {}): Promise<FilesAgent> {
    const made = new FilesAgent(env)
    fs.chmodSync(made.#scratch.path, 0o755)
    made.#bundled = await bundleAgent()
    made.#url = await made.controlPlane.open()
    await made.start()
    const spec = buildServerSpec({ environment: { GAME_PORT: '0' }, ...change })
    const fields = { id: nextId(), serverId: spec.id, generation: 1, requestId: 'request', spec }
    made.controlPlane.command({ ...fields, kind: 'install' })
    await waitFor('the installation', () => made.controlPlane.lastState(spec.id) === 'offline')
    // A test does not count the files that the installation wrote.
    await made.call('list', { path: '' })
    await made.clear()
    return made
  }

  /** Starts the agent on what is on the disk; `fault` is that of its process and its workers. */
  async start(fault?: string): Promise<void> {
    this.#agent = await startAgent({
      bundle: this.#bundled?.bundle ?? '',
      data: this.#data,
      controlPlaneUrl: this.#url,
      env: { AGENT_STOP_SERVERS_ON_EXIT: '1', ...this.#env, ...(fault === undefined ? {} : { FAULT: fault }) },
    })
    await this.#agent.ready()
  }

  /** As `kill -9` of the agent alone. */
  async kill(): Promise<void> {
    this.process.signal('SIGKILL')
    await this.process.ended
  }

  async close(): Promise<void> {
    await this.#agent?.process.stop(20_000)
    await this.controlPlane.close()
    this.#bundled?.remove()
    this.#scratch.remove()
  }

  get process() {
    if (this.#agent === undefined) throw new Error('No agent was started.')
    return this.#agent.process
  }

  get port(): number {
    return this.#agent?.port ?? 0
  }

  get root(): string {
    return this.#layout.root
  }

  get area(): string {
    return this.#layout.files
  }

  get #data(): string {
    return path.join(this.#scratch.path, 'agent')
  }

  get #layout() {
    return layoutOf(this.#data, buildServerSpec().identifier)
  }

  /** The recorded process that works on the server's files; undefined without one. */
  worker(): ProcessIdentity | undefined {
    const found = recordedIdentity(this.#layout.fileWorkerFile)
    return found !== undefined && isAlive(found) ? found : undefined
  }

  /** The worker once it has stopped at its fault point. */
  stoppedWorker(): Promise<ProcessIdentity> {
    return waitFor('the worker to stop at its fault point', () => {
      const worker = this.worker()
      return worker !== undefined && statFields(worker.pid)?.[0] === STOPPED ? worker : undefined
    })
  }

  /** The largest memory that a process had in RAM. Unit: bytes. */
  static peakBytes(pid: number): number {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
  }

  /** Removes everything in the server's folder and in the node's area beside it. */
  async clear(): Promise<void> {
    const below = ['parts', 'ready', 'bin', 'history', 'uploads'].map((name) => path.join(this.area, name))
    for (const folder of [this.root, ...below]) {
      for (const name of await fs.promises.readdir(folder)) {
        await fs.promises.rm(path.join(folder, name), { recursive: true, force: true })
      }
    }
  }

  /** Gives everything in the server's folder to its user. */
  own(): void {
    const { uid, gid } = fs.statSync(this.root)
    for (const at of fs.readdirSync(this.root, { recursive: true, encoding: 'utf8' })) {
      fs.lchownSync(path.join(this.root, at), uid, gid)
    }
  }

  /** A file as a program of the server writes it. */
  put(name: string, content: Buffer | string = 'content'): void {
    const target = path.join(this.root, name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, content)
    this.own()
  }

  /** The response with its body unread; the caller reads or destroys it. */
  async open(target: string, { method = 'GET', token, headers = {}, body }: AgentAsked = {}): Promise<IncomingMessage> {
    const bearer = token === undefined ? await this.controlPlane.filesToken() : token
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: '127.0.0.1',
        port: this.port,
        method,
        path: target,
        agent: false,
        headers: {
          origin: SITE_ORIGIN,
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      })
      request.once('error', reject)
      request.once('response', resolve)
      request.end(body)
    })
  }

  async ask(target: string, asked: AgentAsked = {}): Promise<AgentAnswer> {
    return readAnswer(await this.open(target, asked))
  }

  call<Call extends NodeFileCall>(call: Call, input: NodeFileInput<Call>): Promise<AgentAnswer> {
    return this.ask(`${FILES}${BELOW_FILES.call(call)}`, { method: 'POST', body: JSON.stringify(input) })
  }

  read(name: string, headers: Readonly<Record<string, string>> = {}): Promise<AgentAnswer> {
    return this.ask(`${FILES}${BELOW_FILES.content(name)}`, { headers })
  }

  write(name: string, body: Buffer | string, headers: Readonly<Record<string, string>> = {}): Promise<AgentAnswer> {
    return this.ask(`${FILES}${BELOW_FILES.content(name)}`, { method: 'PUT', body, headers })
  }

  /** Begins an upload in parts; the address of the upload. */
  async beginUpload(name: string, bytes: number, replaces: 'new' | 'any' = 'new'): Promise<string> {
    const pair = (key: string, value: string): string => `${key} ${Buffer.from(value).toString('base64')}`
    const metadata = [pair('path', name), pair('replaces', replaces)].join(',')
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(bytes), 'upload-metadata': metadata }
    const answer = await this.ask(`${FILES}${BELOW_FILES.uploads}`, { method: 'POST', headers })
    if (answer.status !== 201) throw new Error(`The upload did not begin: ${String(refusalIn(answer))}`)
    return `${FILES}/${String(answer.headers['location'])}`
  }

  /** How much of an upload has arrived, as the agent tells it. */
  async offsetOf(upload: string): Promise<number> {
    const { headers } = await this.ask(upload, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
    return Number(headers['upload-offset'])
  }

  /** The bytes of an upload on the disk, whether they count already or not. */
  uploadedBytes(upload: string): number {
    return fs.statSync(path.join(this.area, 'uploads', path.basename(upload), 'content')).size
  }

  sendPart(upload: string, offset: number, body: Buffer): Promise<AgentAnswer> {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    }
    return this.ask(upload, { method: 'PATCH', headers, body })
  }

  /** A call of somebody who only watches: calls are counted by person, and a poll would take those of the test. */
  async #watch<Call extends NodeFileCall>(call: Call, input: NodeFileInput<Call>): Promise<unknown> {
    const claims = { purpose: 'files', permissions: ['file.list'], sub: nextId() }
    const token = await this.controlPlane.token(claims, { kid: 'test', typ: 'files+jwt' })
    const body = JSON.stringify(input)
    return (await this.ask(`${FILES}${BELOW_FILES.call(call)}`, { method: 'POST', body, token })).json
  }

  /** The jobs of the server, newest first. */
  async jobs(): Promise<FileJob[]> {
    const { jobs } = (await this.#watch('jobs', { deletionJobs: true })) as { jobs: unknown[] }
    return jobs.map((job) => FileJob.parse(job))
  }

  /** The bytes that the agent has measured at last. */
  async measuredBytes(): Promise<number> {
    const { bytes, binBytes } = (await this.#watch('usage', {})) as { bytes: number; binBytes: number }
    return bytes + binBytes
  }

  /** Begins with a worker that has counted no growth, once the agent has measured that almost nothing is stored. */
  async forgetGrowth(): Promise<void> {
    const worker = this.worker()
    if (worker !== undefined) process.kill(worker.pid, 'SIGKILL')
    await waitFor('the end of the worker', () => worker === undefined || !isAlive(worker))
    await waitFor('a measurement of the empty folder', async () => (await this.measuredBytes()) < 1024 * 1024)
    await waitFor('the next worker', async () => (await this.call('list', { path: '' })).status === 200)
  }

  /** A job from its start to its end. */
  async job<Kind extends JobKind>(kind: Kind, input: NodeFileInput<Kind>): Promise<FileJob> {
    const answer = await this.call(kind, input)
    if (answer.status !== 200) throw new Error(`${kind}: ${String(refusalIn(answer))}`)
    const begun = FileJob.parse((answer.json as { job: unknown }).job)
    if (begun.endedAtMs !== null) return begun
    return waitFor(`the end of ${kind}`, async () =>
      (await this.jobs()).find(({ id, endedAtMs }) => id === begun.id && endedAtMs !== null),
    )
  }
}
