'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import type { Files } from '../files-context.tsx'
import { jobsQuery, useFileCall } from '../files-queries.ts'
import { endOfJob } from './job-end.ts'

/** Follows jobs to their end. */
export const useJobEnds = (files: Files) => {
  const client = useQueryClient()
  const end = useFileCall(files, 'end-job')
  const list = async () => (await client.fetchQuery({ ...jobsQuery(files), staleTime: 0 })).jobs
  return {
    ended: (job: FileJob) => endOfJob(job, list),
    /** The list of jobs does not say once more what the page says; somebody may have taken the job off it already. */
    forget: ({ id }: FileJob) => end.mutateAsync({ id }).catch(() => {}),
  }
}
