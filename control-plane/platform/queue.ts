import bullmq, { type Job, type Queue, type Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from '#platform/logger.ts'
import { closeRedis, openRedis } from './redis.ts'

/** `data` is JSON. The id identifies the task for ever: adding it twice gives one task. */
export type Task = { readonly id: string; readonly kind: string; readonly data: unknown; readonly attempt: number }

/** Thrown by a handler when a retry cannot help. */
export class UnrecoverableTask extends Error {
  override name = 'UnrecoverableTask'
}

export interface TaskQueue {
  /** Adds a task. */
  add(task: Omit<Task, 'attempt'>, options?: AddOptions): Promise<void>
  /** Adds tasks that share their options: all of them, or none. */
  addAll(tasks: readonly Omit<Task, 'attempt'>[], options?: AddOptions): Promise<void>
  /** Schedules a task of this kind every `everyMs`, once across all processes. */
  every(kind: string, everyMs: number, data: unknown): Promise<void>
  /** Ends the schedule of a kind, if there is one. */
  endEvery(kind: string): Promise<void>
  /** Runs tasks. A task of a dead worker is run again by another; handlers must be idempotent. */
  work(handler: (task: Task) => Promise<void>, options?: WorkOptions): Promise<void>
  /** The number of tasks in each state. */
  counts(): Promise<Record<string, number>>
  /** Waits for running handlers, then closes every connection. */
  close(): Promise<void>
}

export type AddOptions = {
  /** Postpones the task. */
  delayMs?: number
  /** Limits its runs; default 8, with exponential back-off from `backoffMs`. */
  attempts?: number
  backoffMs?: number
  /** It waits for every due task without this flag. */
  canWait?: boolean
}
export type WorkOptions = { concurrency?: number; lockMs?: number; onFailed?: (task: Task, reason: string) => void }
export type QueueOptions = { databaseUrl: string; redisUrl?: string | undefined; log: Logger }

const DAY_S = 86_400
/** Finished tasks are kept for a while, so that their ids are known as done. */
const KEEP = { removeOnComplete: { age: DAY_S }, removeOnFail: { age: 30 * DAY_S } }
/**
 * Redis holds all of them in memory, and trims those beyond a number at no cost. PostgreSQL holds them on disk, where
 * BullMQ would read all of them at the end of each task to trim.
 */
const KEEP_IN_MEMORY = { ...KEEP, removeOnComplete: { age: DAY_S, count: 10_000 } }
const DEFAULT_ATTEMPTS = 8
const DEFAULT_BACKOFF_MS = 1_000
/** BullMQ runs tasks of priority 0 first, which is the default. */
const LATER = { priority: 1 }

type Opened = {
  queue: Queue
  keep: typeof KEEP
  startWorker(run: (job: Job) => Promise<void>, options: WorkOptions): Worker
  end(): void
}

const workerOptions = ({ concurrency = 8, lockMs = 30_000 }: WorkOptions) => ({
  concurrency,
  lockDuration: lockMs,
  stalledInterval: lockMs,
  maxStalledCount: 3,
})

function openOnPostgres(name: string, { databaseUrl }: QueueOptions): Opened {
  const connection = { connectionString: databaseUrl, max: 3, keepAlive: true, application_name: `queue:${name}` }
  return {
    queue: new bullmq.Queue(name, { connection }, bullmq.createPostgresBackend) as unknown as Queue,
    startWorker: (run, options) =>
      new bullmq.Worker(
        name,
        run,
        { connection, ...workerOptions(options) },
        bullmq.createPostgresBackend,
      ) as unknown as Worker,
    keep: KEEP,
    end: () => {},
  }
}

function openOnRedis(name: string, { redisUrl = '', log }: QueueOptions): Opened {
  const opened: Redis[] = []
  const connect = (part: string) => {
    const redis = openRedis(redisUrl, `queue:${name}:${part}`, log)
    opened.push(redis)
    return redis
  }
  return {
    queue: new bullmq.Queue(name, { connection: connect('queue') }),
    startWorker: (run, options) =>
      new bullmq.Worker(name, run, { connection: connect('worker'), ...workerOptions(options) }),
    keep: KEEP_IN_MEMORY,
    end: () => opened.forEach(closeRedis),
  }
}

const jobOptions = ({
  delayMs,
  canWait,
  attempts = DEFAULT_ATTEMPTS,
  backoffMs = DEFAULT_BACKOFF_MS,
}: AddOptions = {}) => ({
  attempts,
  backoff: { type: 'exponential', delay: backoffMs },
  ...(delayMs ? { delay: delayMs } : {}),
  ...(canWait ? LATER : {}),
})

const taskOf = (job: Job): Task => ({
  id: job.id ?? '',
  kind: job.name,
  data: job.data as unknown,
  attempt: job.attemptsMade + 1,
})

/** Opens a BullMQ queue on Redis if an address is given, else on PostgreSQL, whose schema must be migrated. */
export function openQueue(name: string, options: QueueOptions): TaskQueue {
  const opened = options.redisUrl ? openOnRedis(name, options) : openOnPostgres(name, options)
  const workers: Worker[] = []
  const { queue, keep } = opened
  const complain = (error: Error) => options.log.warn({ queue: name, reason: error.message }, 'queue connection')
  queue.on('error', complain)
  return {
    add: async (task, options) => {
      await queue.add(task.kind, task.data, { jobId: task.id, ...keep, ...jobOptions(options) })
    },
    addAll: async (tasks, options) => {
      const opts = { ...keep, ...jobOptions(options) }
      await queue.addBulk(tasks.map(({ id, kind, data }) => ({ name: kind, data, opts: { jobId: id, ...opts } })))
    },
    every: async (kind, everyMs, data) => {
      const opts = { attempts: 3, backoff: { type: 'exponential', delay: DEFAULT_BACKOFF_MS }, ...keep }
      await queue.upsertJobScheduler(kind, { every: everyMs }, { name: kind, data, opts })
    },
    endEvery: async (kind) => {
      await queue.removeJobScheduler(kind)
    },
    work: async (handler, workOptions = {}) => {
      const run = async (job: Job) => {
        try {
          await handler(taskOf(job))
        } catch (error) {
          if (error instanceof UnrecoverableTask) throw new bullmq.UnrecoverableError(error.message)
          throw error
        }
      }
      const worker = opened.startWorker(run, workOptions)
      worker.on('error', complain)
      worker.on('failed', (job, error) => {
        if (job) workOptions.onFailed?.(taskOf(job), error.message)
      })
      workers.push(worker)
      await worker.waitUntilReady()
    },
    counts: () => queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed', 'completed'),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()))
      await queue.close()
      opened.end()
    },
  }
}
