import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { connect, type ClientHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { OVERLOAD } from '#contracts/overload.ts'
import { faultText, type FaultPlan } from '#platform/fault-plan.ts'
import type { Log } from '#platform/logger.ts'
import { FileFailure } from './file-failure.ts'
import { WINDOW_BYTES, WORKER_FDS } from './worker-wire.ts'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
const SESSION_WINDOW_BYTES = 8 * WINDOW_BYTES
const SESSION_MEMORY_MB = 64
/** A worker that keeps its descriptors open for this long after it was told to end is ended. */
const END_WITHIN_MS = 2_000
/** A worker that not even the kernel ends holds requests up no longer. */
const GIVE_UP_MS = 10_000
/** The name of a worker in lists of processes. */
export const FILE_WORKER_MARK = 'bakter-file-worker'
const MEMORY = ['--max-old-space-size=192', '--max-semi-space-size=4']

/** The server whose files a worker changes. */
export interface WorkerOwner {
  readonly serverId: string
  /** The server's own user; null where servers share the agent's. */
  readonly uid: number | null
  readonly root: string
  /** The node's own area beside it. */
  readonly area: string
  /** Where the agent records the process. */
  readonly stateFile: string
}

/** A server on whose files a process of a killed agent may still work. */
export type LeftWorker = Pick<WorkerOwner, 'serverId' | 'stateFile'>

export interface FileWorkerDeps {
  /** The bundle of `worker/main.ts`. */
  readonly program: string
  /** The bundle of `unpacker/main.ts`. */
  readonly unpacker: string
  readonly log: Log
  readonly figures?: { readonly workers: number; readonly idleMs: number }
  /** The fault of the processes under test. */
  readonly fault?: FaultPlan | undefined
  /** Resolves when no process of a killed agent works on the files any more; asked once for each server. */
  endLeftover?(owner: LeftWorker): Promise<void>
  /** Called when a process has begun, before it does anything, and when it has ended. */
  began(owner: WorkerOwner, pid: number): void
  ended(owner: WorkerOwner, pid: number): void
}

interface Worker {
  readonly owner: WorkerOwner
  readonly process: ChildProcess
  readonly session: ClientHttp2Session
  /** Requests that run. */
  uses: number
  idleTimer: NodeJS.Timeout | undefined
}

/** Creates the area with the server's user as its owner. */
const makeArea = ({ area, uid }: WorkerOwner): void => {
  if (fs.existsSync(area)) return
  fs.mkdirSync(area, { mode: 0o700 })
  if (uid !== null) fs.chownSync(area, uid, uid)
}

/**
 * The processes that work on the files of servers: one for each server whose files somebody uses, under the server's own user, and
 * none otherwise. They hold nothing: a process that ends is replaced by the next request.
 */
export class FileWorkers {
  readonly #deps: FileWorkerDeps
  readonly #figures: { readonly workers: number; readonly idleMs: number }
  readonly #workers = new Map<string, Worker>()
  /** Processes that have not ended, also those that no request reaches any more. */
  readonly #alive = new Map<string, Promise<void>>()
  /** Servers whose leftover was asked for. */
  readonly #known = new Set<string>()
  #isClosed = false

  constructor(deps: FileWorkerDeps) {
    this.#deps = deps
    this.#figures = deps.figures ?? OVERLOAD.agent.files
  }

  get size(): number {
    return this.#workers.size
  }

  /** Runs with a session to the server's worker. Throws `FileFailure`: BUSY without a free place, NOT_FOUND without a folder. */
  async use<Result>(owner: WorkerOwner, run: (session: ClientHttp2Session) => Promise<Result>): Promise<Result> {
    const worker = this.#workers.get(owner.serverId) ?? (await this.#startAlone(owner))
    clearTimeout(worker.idleTimer)
    worker.uses += 1
    try {
      return await run(worker.session)
    } finally {
      worker.uses -= 1
      if (worker.uses === 0) this.#waitIdle(worker)
    }
  }

  /** Ends the worker of a server, and that of a killed agent, and resolves when they have ended: its folder is about to be removed. */
  async end(owner: LeftWorker): Promise<void> {
    const { serverId } = owner
    this.#endLeftover(owner)
    const worker = this.#workers.get(serverId)
    if (worker !== undefined) void this.#stop(worker)
    await this.#alive.get(serverId)
  }

  /** Resolves when all of them have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const worker of this.#workers.values()) void this.#stop(worker)
    await Promise.all(this.#alive.values())
  }

  /**
   * Once the one before has ended: it may still be clearing up, and a new one takes everything that is half made for a dead one's
   * and removes it.
   */
  async #startAlone(owner: WorkerOwner): Promise<Worker> {
    const { serverId } = owner
    this.#endLeftover(owner)
    for (;;) {
      const [there, before] = [this.#workers.get(serverId), this.#alive.get(serverId)]
      if (there !== undefined) return there
      if (before === undefined) return this.#start(owner)
      if (!(await endsWithin(before, GIVE_UP_MS))) throw new FileFailure('BUSY')
    }
  }

  #endLeftover(owner: LeftWorker): void {
    const { serverId } = owner
    if (this.#known.has(serverId) || this.#deps.endLeftover === undefined) return
    this.#known.add(serverId)
    const over = this.#deps.endLeftover(owner).finally(() => this.#alive.delete(serverId))
    this.#alive.set(serverId, over)
  }

  #start(owner: WorkerOwner): Worker {
    if (this.#isClosed) throw new FileFailure('BUSY')
    this.#makeRoom()
    const opened: number[] = []
    try {
      makeArea(owner)
      // Opened here, because the server's user may not be allowed to pass through the folders above them.
      opened.push(fs.openSync(this.#deps.program, O_RDONLY))
      for (const folder of [owner.root, owner.area]) {
        opened.push(fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
      }
      opened.push(fs.openSync(this.#deps.unpacker, O_RDONLY))
      const worker = this.#spawn(owner, opened)
      this.#workers.set(owner.serverId, worker)
      return worker
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new FileFailure('NOT_FOUND')
      throw error
    } finally {
      for (const descriptor of opened) fs.closeSync(descriptor)
    }
  }

  #spawn(owner: WorkerOwner, [program = 0, ...inherited]: readonly number[]): Worker {
    const { log, fault, began, ended } = this.#deps
    const child = spawn(process.execPath, [...MEMORY, '--input-type=module', '-', FILE_WORKER_MARK], {
      cwd: '/',
      env: { NODE_ENV: 'production', ...(fault === undefined ? {} : { FAULT: faultText(fault) }) },
      stdio: [program, 'ignore', 'pipe', ...inherited, 'pipe'],
      ...(owner.uid === null ? {} : { uid: owner.uid, gid: owner.uid }),
    })
    const connection = child.stdio.at(WORKER_FDS.connection) as unknown as Duplex
    const session = connect('http://files', {
      createConnection: () => connection,
      settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
      maxSessionMemory: SESSION_MEMORY_MB,
    })
    session.once('connect', () => session.setLocalWindowSize(SESSION_WINDOW_BYTES))
    const worker: Worker = { owner, process: child, session, uses: 0, idleTimer: undefined }
    const about = { serverId: owner.serverId }
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-1_000)))
    const over = new Promise<void>((resolve) => {
      // A program that could not be started never exits.
      child.once('error', (error) => {
        log.error({ ...about, err: error }, 'a file worker did not start')
        if (child.pid === undefined) resolve()
      })
      child.once('exit', () => resolve())
    }).then(() => {
      if (this.#alive.get(owner.serverId) === over) this.#alive.delete(owner.serverId)
    })
    this.#alive.set(owner.serverId, over)
    child.once('exit', (code, signal) => {
      this.#forget(worker)
      session.destroy()
      if (code !== 0) log.warn({ ...about, code, signal, said }, 'a file worker ended')
      if (child.pid !== undefined) ended(owner, child.pid)
    })
    // Each request of a lost session fails by itself.
    session.on('error', () => this.#forget(worker))
    session.once('close', () => void this.#stop(worker))
    if (child.pid !== undefined) began(owner, child.pid)
    return worker
  }

  #makeRoom(): void {
    if (this.#workers.size < this.#figures.workers) return
    // The map keeps their order: the first idle one has been there for longest.
    const idle = [...this.#workers.values()].find(({ uses }) => uses === 0)
    if (idle === undefined) throw new FileFailure('BUSY')
    void this.#stop(idle)
  }

  #waitIdle(worker: Worker): void {
    worker.idleTimer = setTimeout(() => void this.#stop(worker), this.#figures.idleMs)
    worker.idleTimer.unref()
  }

  #forget(worker: Worker): void {
    clearTimeout(worker.idleTimer)
    if (this.#workers.get(worker.owner.serverId) === worker) this.#workers.delete(worker.owner.serverId)
  }

  async #stop(worker: Worker): Promise<void> {
    this.#forget(worker)
    const { process: child } = worker
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
    })
    worker.session.destroy()
    const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
    await ended
    clearTimeout(late)
  }
}

/** Whether it resolves in time. */
const endsWithin = async (ended: Promise<void>, withinMs: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  const isOver = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return isOver
}
