'use client'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { isFileRefusal } from '#contracts/panel/file-refusals.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import { FileTrouble } from './file-trouble.ts'
import type { Files } from './files-context.tsx'
import { useFileCall } from './files-queries.ts'
import { inFreePlace } from './free-place.ts'
import { useJobEnds } from './jobs/use-job-ends.ts'
import { sendPortions } from './portions.ts'
import { refusedTogether } from './telling.ts'
import type { Outcome, Telling } from './telling.ts'

export type Moved = { readonly from: string; readonly to: string }

/** Copies everything by jobs of the node. A copy whose name is taken gets a number. */
export const useCopying = (files: Files, { tell, fail }: Telling) => {
  const copy = useFileCall(files, 'copy')
  const { ended, forget } = useJobEnds(files)
  const start = async (moves: readonly Moved[]) => (await copy.mutateAsync({ moves: [...moves], taken: 'number' })).job

  /** A node of the release before gives no numbers, and refuses what it would have to number. */
  const numbered = async ({ from, to }: Moved): Promise<FileRefusal | null> => {
    try {
      await inFreePlace(to, async (free) => {
        const job = await ended(await start([{ from, to: free }]))
        const refusal = job?.refusal ?? job?.refusals[0] ?? null
        if (job === undefined || refusal === null) return
        await forget(job)
        throw new FileTrouble(refusal)
      })
      return null
    } catch (failure) {
      if (failure instanceof FileTrouble && isFileRefusal(failure.code)) return failure.code
      throw failure
    }
  }

  /** The facts of a started copy that the list of jobs does not say. */
  const rest = async (moves: readonly Moved[], begun: FileJob): Promise<Outcome[]> => {
    const job = await ended(begun)
    if (job?.refusal && job === begun) {
      await forget(job)
      return refusedTogether([moves[0]?.from ?? ''], new FileTrouble(job.refusal)) ?? []
    }
    if (job?.refusals.includes('ALREADY_EXISTS') !== true) return []
    await forget(job)
    const outcomes: Outcome[] = []
    for (const [index, moved] of moves.entries()) {
      const refusal = job.refusals[index] ?? null
      outcomes.push({ path: moved.from, refusal: refusal === 'ALREADY_EXISTS' ? await numbered(moved) : refusal })
    }
    return outcomes
  }

  return async (moves: readonly Moved[]): Promise<void> => {
    const outcomes: Outcome[] = []
    try {
      for (const each of await sendPortions(moves, start)) {
        if ('answer' in each) outcomes.push(...(await rest(each.things, each.answer)))
        else {
          const refused = refusedTogether(
            each.things.map(({ from }) => from),
            each.failure,
          )
          if (refused === undefined) fail(each.failure)
          else outcomes.push(...refused)
        }
      }
    } catch (failure) {
      fail(failure)
    }
    tell(outcomes)
  }
}
