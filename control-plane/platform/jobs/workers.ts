import { AppError } from '../app-error.ts'
import type { Context } from '../context.ts'
import type { Metrics } from '../metrics.ts'
import { UnrecoverableTask, type Task, type TaskQueue } from '../queue.ts'
import {
  isJobName,
  JOB_CATALOG,
  JobEnvelope,
  type JobEntry,
  type JobInfo,
  type JobName,
  type Processors,
} from './job-catalog.ts'

export type WorkerDeps = Pick<Context, 'log' | 'clock'> & {
  queue: TaskQueue
  metrics: Metrics
  processors: Processors
}

/** Runs one task: parses it by the catalog, calls its processor, and decides whether a retry makes sense. */
export async function runTask(task: Task, deps: Omit<WorkerDeps, 'queue'>): Promise<void> {
  if (!isJobName(task.kind)) throw new UnrecoverableTask(`the catalogue has no job ${task.kind}`)
  const { requestId, payload } = parseTask(task, task.kind)
  const log = deps.log.child({ job: task.kind, jobId: task.id, requestId })
  const startedMs = deps.clock.now()
  const run = deps.processors[task.kind] as (payload: unknown, job: JobInfo) => Promise<unknown>
  try {
    await run(payload, { id: task.id, requestId, attempt: task.attempt, log })
    deps.metrics.jobs.inc({ kind: task.kind, outcome: 'done' })
  } catch (error) {
    deps.metrics.jobs.inc({ kind: task.kind, outcome: 'failed' })
    log.error({ attempt: task.attempt, reason: error instanceof Error ? error.message : String(error) }, 'a job failed')
    if (error instanceof AppError && !error.retryable) throw new UnrecoverableTask(error.message)
    throw error
  } finally {
    deps.metrics.jobSeconds.observe({ kind: task.kind }, (deps.clock.now() - startedMs) / 1_000)
  }
}

function parseTask(task: Task, kind: JobName): { requestId: string; payload: unknown } {
  const envelope = JobEnvelope.safeParse(task.data)
  const payload = JOB_CATALOG[kind].schema.safeParse(envelope.data?.payload)
  if (!envelope.success || !payload.success) throw new UnrecoverableTask(`a task ${kind} of an unknown form`)
  return { requestId: envelope.data.requestId, payload: payload.data }
}

/**
 * A running scheduled job replaces its next run: a run over very many servers takes longer than its schedule, and
 * overlapping runs would take all workers and connections without finishing sooner.
 */
export function runAloneIfScheduled(deps: Omit<WorkerDeps, 'queue'>): (task: Task) => Promise<void> {
  const underWay = new Set<string>()
  return async (task) => {
    const entry: JobEntry | undefined = isJobName(task.kind) ? JOB_CATALOG[task.kind] : undefined
    if (entry?.everyMs === undefined) return runTask(task, deps)
    if (underWay.has(task.kind)) {
      deps.log.info({ job: task.kind }, 'a scheduled job is still under way')
      deps.metrics.jobs.inc({ kind: task.kind, outcome: 'under-way' })
      return
    }
    underWay.add(task.kind)
    try {
      await runTask(task, deps)
    } finally {
      underWay.delete(task.kind)
    }
  }
}

/** Runs the queue's tasks until the queue is closed. */
export async function startWorkers(deps: WorkerDeps): Promise<void> {
  await deps.queue.work(runAloneIfScheduled(deps), {
    onFailed: (task, reason) => deps.log.warn({ job: task.kind, jobId: task.id, reason }, 'a run of a job failed'),
  })
}
