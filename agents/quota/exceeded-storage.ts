import type { Usage } from '#contracts/panel/node-files.ts'
import type { Quotas } from './catalog.ts'
import type { FilePlace, StorageUse } from './quota-driver.ts'

const MIB = 1024 * 1024

/**
 * Whether files and bin take at least 110 % of the storage. Up to there a server goes on, because a game that saves its world
 * must not lose it at the last byte.
 */
export const isStorageExceeded = ({ bytes, binBytes, limitBytes }: Usage): boolean =>
  limitBytes > 0 && (bytes + binBytes) * 10 >= limitBytes * 11

/** The figures of a sentence about it. */
export const excessParams = ({ bytes, binBytes, limitBytes }: Usage): { usedMiB: number; limitMiB: number } => ({
  usedMiB: Math.ceil((bytes + binBytes) / MIB),
  limitMiB: Math.floor(limitBytes / MIB),
})

/** A measurement beside the storage that was rented. */
export const usageOf = ({ bytes, ownBytes }: StorageUse, limitMiB: number): Usage => ({
  bytes,
  binBytes: ownBytes,
  limitBytes: limitMiB * MIB,
})

/**
 * The storage that a server's files take if it is too much for a start; undefined otherwise. The last measurement may be older than
 * the files that were deleted since: it is never the reason alone.
 */
export const exceededStorage = async (
  { layout, limitMiB }: { readonly layout: FilePlace; readonly limitMiB: number },
  quotas: Quotas,
): Promise<Usage | undefined> => {
  const quota = quotas.of(layout)
  if (quota.bindsGame || !isStorageExceeded(usageOf(quota.usageOf(layout), limitMiB))) return undefined
  const present = usageOf(await quota.measure(layout), limitMiB)
  return isStorageExceeded(present) ? present : undefined
}
