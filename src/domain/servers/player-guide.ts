export type PlayerGuide = {
  /** The memory of a server without players. */
  readonly baseMemoryMiB: number
  readonly playerMemoryMiB: number
}

/** Below this a guide is exact; above, it is rounded down to a multiple of five, and from fifty on of ten. */
const EXACT_BELOW = 10
const TENS_FROM = 50

/** About how many players a server of this memory carries, rounded down to a number that people use; at least one. */
export const playersFor = (memoryMiB: number, { baseMemoryMiB, playerMemoryMiB }: PlayerGuide): number => {
  const exact = Math.max(1, Math.floor((memoryMiB - baseMemoryMiB) / playerMemoryMiB))
  if (exact < EXACT_BELOW) return exact
  const step = exact < TENS_FROM ? 5 : 10
  return exact - (exact % step)
}
