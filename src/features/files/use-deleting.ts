'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from './file-trouble.ts'
import type { Files } from './files-context.tsx'
import { useFileCall } from './files-queries.ts'
import { isSilent } from './jobs/job-end.ts'
import { useJobEnds } from './jobs/use-job-ends.ts'
import { sendPortions } from './portions.ts'
import { outcomesOf, refusedTogether } from './telling.ts'
import type { Outcome, Telling } from './telling.ts'

/** Runs deletions to their end, one job for each portion; those that take longer are followed by the list of jobs as well. */
const useDeletions = (files: Files) => {
  const remove = useFileCall(files, 'delete')
  const { ended, forget } = useJobEnds(files)
  return async (paths: readonly string[], forever: boolean) => {
    const sent = await sendPortions(paths, (portion) =>
      remove.mutateAsync({ paths: portion, forever, deletionJobs: true }),
    )
    const outcomes: Outcome[] = []
    const failures: unknown[] = []
    let isShort = true
    for (const each of sent) {
      if ('failure' in each) {
        const refused = refusedTogether(each.things, each.failure)
        if (refused === undefined) failures.push(each.failure)
        else outcomes.push(...refused)
        continue
      }
      const { job: begun, refusals } = each.answer
      // A node of an earlier release has done it when it answers.
      if (begun === undefined) {
        outcomes.push(...outcomesOf(each.things, refusals))
        continue
      }
      const job = await ended(begun)
      if (job?.refusal) failures.push(new FileTrouble(job.refusal))
      const isDone = job?.state === 'done'
      const isBad = isDone && job.refusals.some((refusal) => refusal !== null)
      isShort &&= isBad || (isDone && isSilent(job))
      if (isDone) outcomes.push(...outcomesOf(each.things, job.refusals))
      if (job !== undefined && (isBad || job.refusal !== null)) await forget(job)
    }
    return { outcomes, failures, isShort }
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
      const { outcomes, failures, isShort } = await run(paths, forever)
      const isAbout = new Set(paths)
      const found = outcomes.filter(({ refusal }) => refusal === 'BIN_TOO_SMALL').map(({ path }) => path)
      // Another deletion may have found some as well, about which the question is still open.
      setTooLarge((open) => [...open.filter((path) => !isAbout.has(path)), ...found])
      tell(outcomes.filter(({ refusal }) => refusal !== 'BIN_TOO_SMALL'))
      if (failures.length > 0) fail(failures[0])
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
