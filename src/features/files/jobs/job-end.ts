import { isDeletion } from '#contracts/panel/file-jobs.ts'
import type { FileJob } from '#contracts/panel/file-jobs.ts'

const ASK_MS = 1_000

export const isOpen = ({ state }: FileJob): boolean => state === 'running' || state === 'waiting'

/** The job once it is over; undefined for one that has left the list. Rejects as the list does. */
export const endOfJob = async (job: FileJob, list: () => Promise<readonly FileJob[]>): Promise<FileJob | undefined> => {
  let known: FileJob | undefined = job
  while (known !== undefined && isOpen(known)) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
    known = (await list()).find(({ id }) => id === job.id)
  }
  return known
}

/** A response waits this long for short work, which the page then says itself. */
const SHORT_MS = 1_000

/** Whether it ended well, and so soon or so plainly that the list of jobs need not say it. */
export const isSilent = ({ kind, state, refusals, startedAtMs, endedAtMs }: FileJob): boolean => {
  if (state !== 'done' || refusals.some((refusal) => refusal !== null)) return false
  if (kind === 'copy') return true
  return isDeletion(kind) && (endedAtMs ?? 0) - startedAtMs < SHORT_MS
}
