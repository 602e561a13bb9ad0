import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { OVERLOAD } from '#contracts/overload.ts'
import { FileJob, JOB_KINDS, NO_RESULT, type JobKind, type JobResult } from '#contracts/panel/file-jobs.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import type { Clock } from '#platform/clock.ts'
import type { IdSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import type { Disk } from '../platform/disk.ts'
import { FileFailure, refusalOf } from './file-failure.ts'
import type { NamedWork } from './job-work.ts'

const { jobs: LIMITS, pulls: PULLS } = OVERLOAD.agent.files
/** A response to a start waits this long, so that short work is over when the page reads it. */
const SOON_MS = 1_000

const Recorded = FileJob.pick({ id: true, path: true, things: true, moves: true, startedAtMs: true }).extend({
  kind: z.enum(JOB_KINDS),
  userId: z.string(),
})
const RecordFile = z.object({ version: z.literal(1), jobs: z.array(Recorded) })

export interface JobOwner<Claims extends { readonly sub: string }> {
  readonly serverId: string
  /** Where the jobs that are not over are recorded. */
  readonly recordFile: string
  readonly claims: Claims
  /** The other server of a transfer, and the right to that one. */
  readonly other?: { readonly serverId: string; readonly claims: Claims }
  /** The one who starts a job is answered when it is over, however long it takes. */
  readonly waits?: boolean
}

export interface JobAbout {
  readonly kind: JobKind
  readonly path: string
  readonly things: number
  readonly moves?: boolean
}

type Run = (work: NamedWork) => Promise<JobResult>

interface Job<Claims> {
  readonly serverId: string
  readonly userId: string
  readonly recordFile: string
  readonly otherServerId?: string
  /** The servers whose lists it has left. */
  readonly closedAt: Set<string>
  /** It ends with each of them; none for one that another process had begun. */
  readonly claims: readonly Claims[]
  readonly cancelled: AbortController
  readonly run: Run
  /** Called when it has ended. */
  readonly told: () => void
  shown: FileJob
}

const LANES = {
  copy: 'copy',
  compress: 'archive',
  extract: 'archive',
  delete: 'deletion',
  'empty-bin': 'deletion',
  pull: 'pull',
  transfer: 'copy',
} as const satisfies Record<JobKind, string>
/** Copies, deletions and pulls do not wait for archives. A transfer is a copy of both its servers. */
const lanesOf = ({ serverId, otherServerId, shown: { kind } }: Job<unknown>): readonly string[] =>
  [serverId, otherServerId].flatMap((id) => (id === undefined ? [] : [`${id} ${LANES[kind]}`]))
/** The job in the list of the server that receives: nothing tells where its things come from, or what became of them there. */
const arriving = ({ shown }: Job<unknown>): FileJob => ({
  ...shown,
  arrives: true,
  path: nameOf(shown.path),
  refusals: shown.refusals.map((each) => (each === 'SOURCE_KEPT' ? null : each)),
  leftOut: [],
  leftOutCount: 0,
})
/** Jobs of one kind of place compete for it. */
const placesOf = ({ shown: { kind } }: Job<unknown>): 'pulls' | 'deletions' | 'work' => {
  if (kind === 'pull') return 'pulls'
  return LANES[kind] === 'deletion' ? 'deletions' : 'work'
}
const PLACES = { work: LIMITS.all, deletions: LIMITS.deletions, pulls: PULLS.all } as const
const isOver = ({ shown: { state } }: Job<unknown>): boolean => state !== 'running' && state !== 'waiting'
const never: Run = () => Promise.resolve(NO_RESULT)

export interface FileJobDeps {
  readonly clock: Clock
  readonly ids: IdSource
  readonly disk: Disk
  readonly log: Log
  /** For tests. */
  readonly figures?: { readonly lastMs: number }
}

/**
 * The long work on files of a node's servers: one archive, one copy or transfer, one deletion and one pull of a server at once, the others wait. Jobs outlive the
 * requests that start them; those that the node's end interrupts are named as such by the next process.
 */
export class FileJobs<Claims extends { readonly sub: string }> {
  readonly #deps: FileJobDeps
  readonly #jobs = new Map<string, Job<Claims>>()
  readonly #known = new Set<string>()
  #isClosed = false

  constructor(deps: FileJobDeps) {
    this.#deps = deps
  }

  /** Resolves with the job when it is over, or after a second for an owner that does not wait. Throws `BUSY` when too many wait. */
  async start(owner: JobOwner<Claims>, about: JobAbout, run: Run): Promise<FileJob> {
    this.#learn(owner)
    const open = this.#of(owner.serverId).filter((job) => !isOver(job))
    if (this.#isClosed || open.length >= LIMITS.perServer) throw new FileFailure('BUSY')
    const { clock, ids } = this.#deps
    const times = { startedAtMs: clock.now(), endedAtMs: null }
    const shown: FileJob = {
      id: ids.next(),
      moves: false,
      arrives: false,
      isOwn: true,
      ...about,
      ...NO_RESULT,
      ...times,
      state: 'waiting',
      done: 0,
      total: null,
      refusal: null,
    }
    const { serverId, recordFile, claims: own, other } = owner
    const claims = other === undefined ? [own] : [own, other.claims]
    const asWell = other === undefined ? {} : { otherServerId: other.serverId }
    let told = (): void => {}
    const over = new Promise<void>((resolve) => (told = resolve))
    const cancelled = new AbortController()
    const closedAt = new Set<string>()
    const job = { serverId, recordFile, ...asWell, closedAt, claims, userId: own.sub, cancelled, run, told, shown }
    this.#jobs.set(shown.id, job)
    this.#record(job)
    this.#begin()
    await (owner.waits === true ? over : Promise.race([over, wait(SOON_MS, undefined, { ref: false })]))
    return job.shown
  }

  /** The jobs of a server, and the transfers that it receives; newest first. */
  list(owner: JobOwner<Claims>): FileJob[] {
    this.#learn(owner)
    const { serverId } = owner
    const arrivals = [...this.#jobs.values()].filter((job) => job.otherServerId === serverId)
    return [...this.#of(serverId), ...arrivals]
      .filter(({ closedAt }) => !closedAt.has(serverId))
      .map((job) => {
        const shown = job.serverId === serverId ? job.shown : arriving(job)
        return { ...shown, isOwn: job.userId === owner.claims.sub }
      })
      .sort((one, other) => other.startedAtMs - one.startedAtMs)
  }

  /** Cancels a job, or forgets an ended one. Throws `NOT_FOUND`, and `FORBIDDEN` for somebody else's without `mayAll`. */
  end(owner: JobOwner<Claims>, { id, mayAll }: { id: string; mayAll: boolean }): void {
    this.#learn(owner)
    const job = this.#jobs.get(id)
    const sides = [job?.serverId, job?.otherServerId].filter((side) => side !== undefined)
    if (job === undefined || !sides.includes(owner.serverId)) throw new FileFailure('NOT_FOUND')
    if (!mayAll && job.userId !== owner.claims.sub) throw new FileFailure('FORBIDDEN')
    if (!isOver(job)) return this.#cancel(job)
    job.closedAt.add(owner.serverId)
    if (sides.every((side) => job.closedAt.has(side))) this.#jobs.delete(id)
    this.#record(job)
    return undefined
  }

  /** Cancels the jobs of revoked tokens. */
  cancelWhere(covers: (claims: Claims) => boolean): void {
    for (const job of this.#jobs.values()) {
      if (!isOver(job) && job.claims.some(covers)) this.#cancel(job)
    }
  }

  /** Cancels everything: the agent is shutting down, and the records stay. */
  close(): void {
    this.#isClosed = true
    for (const job of this.#jobs.values()) {
      job.cancelled.abort()
      // It never begins, and whoever waits for its end waits no longer.
      if (job.shown.state === 'waiting') job.told()
    }
  }

  #of(serverId: string): Job<Claims>[] {
    this.#forgetOld()
    return [...this.#jobs.values()].filter((job) => job.serverId === serverId)
  }

  #cancel(job: Job<Claims>): void {
    job.cancelled.abort()
    if (job.shown.state === 'waiting') this.#settle(job, { state: 'cancelled' })
  }

  /** Begins every job that need not wait. */
  #begin(): void {
    if (this.#isClosed) return
    for (const job of this.#jobs.values()) {
      if (job.shown.state !== 'waiting' || !this.#hasPlace(job)) continue
      job.shown = { ...job.shown, state: 'running' }
      void this.#work(job)
    }
  }

  /** Pulls wait for strangers, so they have places of their own, and few of them for one person. */
  #hasPlace(job: Job<Claims>): boolean {
    const running = [...this.#jobs.values()].filter(({ shown }) => shown.state === 'running')
    const lanes = lanesOf(job)
    if (running.some((other) => lanesOf(other).some((lane) => lanes.includes(lane)))) return false
    const places = placesOf(job)
    const alike = running.filter((other) => placesOf(other) === places)
    if (alike.length >= PLACES[places]) return false
    return places !== 'pulls' || alike.filter(({ userId }) => userId === job.userId).length < PULLS.perUser
  }

  async #work(job: Job<Claims>): Promise<void> {
    const late = setTimeout(() => job.cancelled.abort(), (this.#deps.figures ?? LIMITS).lastMs)
    late.unref()
    const progress = (done: number, total: number | null): void => void (job.shown = { ...job.shown, done, total })
    const named = (path: string): void => {
      job.shown = { ...job.shown, path }
      this.#record(job)
    }
    try {
      const result = await job.run({ signal: job.cancelled.signal, progress, named })
      const total = job.shown.total ?? job.shown.done
      this.#settle(job, { state: 'done', ...result, done: total, total })
    } catch (error) {
      const isCancelled = job.cancelled.signal.aborted
      this.#settle(job, isCancelled ? { state: 'cancelled' } : { state: 'failed', refusal: refusalOf(error) })
    } finally {
      clearTimeout(late)
      this.#begin()
    }
  }

  #settle(job: Job<Claims>, change: Partial<FileJob>): void {
    job.shown = { ...job.shown, ...change, endedAtMs: this.#deps.clock.now() }
    // Those that a shutdown cancels are read as interrupted by the next process.
    if (!this.#isClosed) this.#record(job)
    job.told()
  }

  #forgetOld(): void {
    const endedBeforeMs = this.#deps.clock.now() - LIMITS.keptMs
    const ended = [...this.#jobs.values()].filter(isOver).reverse()
    for (const [index, { shown }] of ended.entries()) {
      if (index >= LIMITS.kept || (shown.endedAtMs ?? 0) < endedBeforeMs) this.#jobs.delete(shown.id)
    }
  }

  /** Reads once what the last process had not ended. */
  #learn({ serverId, recordFile }: JobOwner<Claims>): void {
    if (this.#known.has(recordFile)) return
    this.#known.add(recordFile)
    for (const { userId, ...recorded } of this.#recorded(recordFile)) {
      const endedAtMs = this.#deps.clock.now()
      const shown = {
        ...recorded,
        ...NO_RESULT,
        arrives: false,
        isOwn: false,
        state: 'interrupted',
        endedAtMs,
        done: 0,
        total: null,
        refusal: null,
      } as const
      const job = {
        serverId,
        userId,
        recordFile,
        closedAt: new Set<string>(),
        claims: [],
        cancelled: new AbortController(),
        run: never,
        told: () => {},
        shown,
      }
      this.#jobs.set(shown.id, job)
    }
  }

  #recorded(recordFile: string): z.infer<typeof RecordFile>['jobs'] {
    try {
      return RecordFile.parse(JSON.parse(this.#deps.disk.read(recordFile) ?? '')).jobs
    } catch {
      // None, or damaged: only the names of interrupted jobs are lost.
      return []
    }
  }

  #record({ serverId, recordFile }: Job<Claims>): void {
    const open = [...this.#jobs.values()].filter((job) => job.serverId === serverId && !isOver(job))
    const jobs: z.infer<typeof RecordFile>['jobs'] = open.map(({ userId, shown }) => {
      const { id, kind, path, things, moves, startedAtMs } = shown
      return { id, kind, path, things, moves, startedAtMs, userId }
    })
    try {
      this.#deps.disk.writeAtomically(recordFile, JSON.stringify({ version: 1, jobs }))
    } catch (error) {
      // The job goes on; only its name would be lost with the process.
      this.#deps.log.warn({ serverId, err: error }, 'a job about files is not recorded')
    }
  }
}
