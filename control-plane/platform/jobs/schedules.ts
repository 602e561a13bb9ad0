import type { Logger } from '#platform/logger.ts'
import type { TaskQueue } from '../queue.ts'
import { JOB_CATALOG, type JobEntry } from './job-catalog.ts'

/** A queue that lost its data gets its schedules back within this time. */
const REPEAT_MS = 60_000
/** Schedules of earlier releases that have another name now. A control plane of such a release writes its own again. */
const FORMER = ['untaken-sizes']

/** Writes the schedules of the catalog and ends those of earlier releases, now and every minute. */
export async function startSchedules(queue: TaskQueue, log: Logger): Promise<{ close(): void }> {
  const write = async () => {
    for (const kind of FORMER) await queue.endEvery(kind)
    for (const [kind, entry] of Object.entries<JobEntry>(JOB_CATALOG)) {
      if (entry.everyMs) await queue.every(kind, entry.everyMs, { requestId: `schedule:${kind}`, payload: {} })
    }
  }
  await write()
  const timer = setInterval(() => {
    write().catch((error: Error) => log.warn({ reason: error.message }, 'schedules could not be written'))
  }, REPEAT_MS)
  return { close: () => clearInterval(timer) }
}
