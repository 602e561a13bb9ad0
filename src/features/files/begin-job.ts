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
  // Somebody may have taken it off the list meanwhile: it is said here all the same.
  await forget(job.id).catch(() => {})
  throw new FileTrouble(job.refusal)
}
