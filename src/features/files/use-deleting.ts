'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { nameOf } from '#contracts/panel/file-path.ts'
import { MAX_JOB_THINGS } from '#contracts/panel/node-files.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from './file-trouble.ts'
import type { Files } from './files-context.tsx'
import { jobsQuery, useFileCall } from './files-queries.ts'
import { endOfJob, isSilent } from './jobs/job-end.ts'
import { portionsOf } from './portions.ts'
import { outcomesOf } from './telling.ts'
import type { Outcome, Telling } from './telling.ts'

/** Runs deletions to their end, one job for each portion; those that take longer are followed by the list of jobs as well. */
const useDeletions = (files: Files) => {
  const client = useQueryClient()
  const remove = useFileCall(files, 'delete')
  const end = useFileCall(files, 'end-job')
  const list = async () => (await client.fetchQuery({ ...jobsQuery(files), staleTime: 0 })).jobs
  return async (paths: readonly string[], forever: boolean) => {
    /** By a node of an earlier release, which has done it when it answers. */
    const done: Outcome[] = []
    const started: { readonly paths: readonly string[]; readonly job: FileJob }[] = []
    for (const portion of portionsOf(paths, MAX_JOB_THINGS)) {
      const { job, refusals } = await remove.mutateAsync({ paths: portion, forever })
      if (job === undefined) done.push(...outcomesOf(portion, refusals))
      else started.push({ paths: portion, job })
    }
    const outcomes = [...done]
    let isShort = true
    for (const { paths: portion, job: begun } of started) {
      const job = await endOfJob(begun, list)
      if (job?.refusal) throw new FileTrouble(job.refusal)
      if (job?.state !== 'done') return { outcomes, isShort: false }
      const isBad = job.refusals.some((refusal) => refusal !== null)
      isShort &&= isBad || isSilent(job)
      outcomes.push(...outcomesOf(portion, job.refusals))
      // It is said here, and not once more by the list of jobs.
      if (isBad) await end.mutateAsync({ id: job.id })
    }
    return { outcomes, isShort }
  }
}

/** Deletes into the bin, or for good once the reader has decided so. */
export const useDeleting = (files: Files, { tell, fail }: Telling) => {
  const t = useTranslations('files')
  const toast = useToast()
  const run = useDeletions(files)
  /** Things that are too large for the bin, until the reader has decided. */
  const [tooLarge, setTooLarge] = useState<readonly string[]>([])
  const deleteAll = async (paths: readonly string[], forever = false): Promise<void> => {
    try {
      const { outcomes, isShort } = await run(paths, forever)
      setTooLarge(outcomes.filter(({ refusal }) => refusal === 'BIN_TOO_SMALL').map(({ path }) => path))
      tell(outcomes.filter(({ refusal }) => refusal !== 'BIN_TOO_SMALL'))
      const done = outcomes.filter(({ refusal }) => refusal === null)
      const name = nameOf(done[0]?.path ?? '')
      const text = t(forever ? 'deleted' : 'inBin', { count: done.length, name })
      if (isShort && done.length > 0) toast({ text, lamp: 'done' })
    } catch (failure) {
      fail(failure)
    }
  }
  return { tooLarge, setTooLarge, deleteAll }
}
