import type { Logger } from '#platform/logger.ts'
import type { TaskQueue } from '../queue.ts'
import { JOB_CATALOG, type JobEntry } from './job-catalog.ts'

/** A queue that lost its data gets its schedules back within this time. */
const REPEAT_MS = 60_000

/** Writes the schedules of the catalog, now and every minute. */
export async function startSchedules(queue: TaskQueue, log: Logger): Promise<{ close(): void }> {
  const write = async () => {
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
