import { isDeletion } from '#contracts/panel/file-jobs.ts'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'

const RUNS = {
  copy: 'copy',
  compress: 'compress',
  extract: 'extract',
  delete: 'delete',
  'empty-bin': 'emptyBin',
  pull: 'pull',
} as const
const DONE = {
  copy: 'copied',
  compress: 'compressed',
  extract: 'extracted',
  delete: 'deleted',
  'empty-bin': 'binEmptied',
  pull: 'pulled',
} as const
/** Nothing of a deletion comes back when it is cancelled. */
const CANCELLED = {
  copy: 'cancelled',
  compress: 'cancelled',
  extract: 'cancelled',
  delete: 'cancelledDelete',
  'empty-bin': 'cancelledEmptyBin',
  pull: 'cancelled',
  transfer: 'cancelledTransfer',
} as const

/** Nobody knows how much a deletion has removed; other work leaves nothing half-made. */
const INTERRUPTED = {
  copy: 'interrupted',
  compress: 'interrupted',
  extract: 'interrupted',
  delete: 'interruptedDelete',
  'empty-bin': 'interruptedEmptyBin',
  pull: 'interrupted',
  transfer: 'interrupted',
} as const

/** A text of the list of jobs by its key, or the refusal that came first; a failure without one has a text as well. */
export type Saying =
  | {
      readonly is: 'text'
      readonly key:
        | (typeof RUNS)[keyof typeof RUNS]
        | (typeof DONE)[keyof typeof DONE]
        | 'copyingTo'
        | 'movingTo'
        | 'arriving'
        | 'arrived'
        | 'copiedTo'
        | 'movedTo'
        | (typeof CANCELLED)[keyof typeof CANCELLED]
        | (typeof INTERRUPTED)[keyof typeof INTERRUPTED]
    }
  | {
      readonly is: 'refused'
      readonly why: FileRefusal | null
      readonly key: 'failedCopy' | 'failedDelete' | 'failedTransfer' | 'failedArrival' | 'noSpaceThere' | 'noSpaceHere'
    }

/** The texts of a transfer, as the server that sends and the one that receives say it. */
const transferKeys = ({ moves, arrives }: FileJob) =>
  arrives
    ? ({ runs: 'arriving', done: 'arrived', failed: 'failedArrival', noSpace: 'noSpaceHere' } as const)
    : ({
        runs: moves ? 'movingTo' : 'copyingTo',
        done: moves ? 'movedTo' : 'copiedTo',
        failed: 'failedTransfer',
        noSpace: 'noSpaceThere',
      } as const)

/** How a job stands. Those of a transfer tell a copy from a move, who reads them, and whose storage is full. */
export const sayingOf = (job: FileJob): Saying => {
  const { kind, state, refusal, refusals } = job
  const transfer = kind === 'transfer' ? transferKeys(job) : undefined
  if (state === 'running' || state === 'waiting') {
    return { is: 'text', key: kind === 'transfer' ? transferKeys(job).runs : RUNS[kind] }
  }
  if (state === 'cancelled') return { is: 'text', key: CANCELLED[kind] }
  if (state === 'interrupted') return { is: 'text', key: INTERRUPTED[kind] }
  const why = refusal ?? refusals.find((each) => each !== null) ?? null
  if (why === 'NO_SPACE' && transfer !== undefined) return { is: 'refused', why: null, key: transfer.noSpace }
  if (why !== null || state === 'failed')
    return { is: 'refused', why, key: transfer?.failed ?? (isDeletion(kind) ? 'failedDelete' : 'failedCopy') }
  return { is: 'text', key: kind === 'transfer' ? transferKeys(job).done : DONE[kind] }
}
