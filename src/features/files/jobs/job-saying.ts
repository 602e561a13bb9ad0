import type { FileJob } from '#contracts/panel/file-jobs.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'

const RUNS = { copy: 'copy', compress: 'compress', extract: 'extract', pull: 'pull' } as const
const DONE = { copy: 'copied', compress: 'compressed', extract: 'extracted', pull: 'pulled' } as const

/** A text of the list of jobs by its key, or the refusal that came first; a failure without one has a text as well. */
export type Saying =
  | {
      readonly is: 'text'
      readonly key:
        | (typeof RUNS)[keyof typeof RUNS]
        | (typeof DONE)[keyof typeof DONE]
        | 'copyingTo'
        | 'movingTo'
        | 'copiedTo'
        | 'movedTo'
        | 'cancelled'
        | 'cancelledTransfer'
        | 'interrupted'
    }
  | {
      readonly is: 'refused'
      readonly why: FileRefusal | null
      readonly key: 'failedCopy' | 'failedTransfer' | 'noSpaceThere'
    }

/** How a job stands. Those of a transfer tell a copy from a move, and whose storage is full. */
export const sayingOf = ({ kind, state, moves, refusal, refusals }: FileJob): Saying => {
  const isTransfer = kind === 'transfer'
  if (state === 'running' || state === 'waiting') {
    return { is: 'text', key: isTransfer ? (moves ? 'movingTo' : 'copyingTo') : RUNS[kind] }
  }
  if (state === 'cancelled') return { is: 'text', key: isTransfer ? 'cancelledTransfer' : 'cancelled' }
  if (state === 'interrupted') return { is: 'text', key: 'interrupted' }
  const why = refusal ?? refusals.find((each) => each !== null) ?? null
  if (why === 'NO_SPACE' && isTransfer) return { is: 'refused', why: null, key: 'noSpaceThere' }
  if (why !== null || state === 'failed') {
    return { is: 'refused', why, key: isTransfer ? 'failedTransfer' : 'failedCopy' }
  }
  return { is: 'text', key: isTransfer ? (moves ? 'movedTo' : 'copiedTo') : DONE[kind] }
}
