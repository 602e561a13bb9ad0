import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { FileTrouble } from './file-trouble.ts'

/** Starts a job. Throws its refusal as `FileTrouble` if it fails at once: then the asker says it, and not the list of jobs. */
export const beginJob = async (
  start: () => Promise<{ job: FileJob }>,
  forget: (id: string) => Promise<unknown>,
): Promise<void> => {
  const { job } = await start()
  if (job.refusal === null) return
  await forget(job.id)
  throw new FileTrouble(job.refusal)
}
