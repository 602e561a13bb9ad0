import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { FileTrouble } from './file-trouble.ts'

/** Starts a job. Throws its refusal as `FileTrouble` if it fails at once: then the asker says it, and not the list of jobs. */
export const beginJob = async (
  start: () => Promise<{ job?: FileJob | undefined }>,
  forget: (id: string) => Promise<unknown>,
): Promise<void> => {
  const { job } = await start()
  // A node of an earlier release has done some work when it answers.
  if (job === undefined || job.refusal === null) return
  await forget(job.id)
  throw new FileTrouble(job.refusal)
}
