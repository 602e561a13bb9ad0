/** So many starts are kept: an old one says little about a server that grows. */
export const STARTS_KEPT = 9
/** With fewer starts a usual time would be a guess. */
export const STARTS_NEEDED = 3
/** A start that took longer was seen with a gap, for example by a node that was suspended. */
const LONGEST_START_MS = 6 * 3_600_000
/** The bar of a start is full only when the server is open. */
const MOST_OF_BAR = 0.95

/** The usual time of a start, and between which times half of the starts lie. */
export type UsualStart = {
  readonly count: number
  readonly medianMs: number
  readonly lowMs: number
  readonly highMs: number
}

/** How far a start has come by the earlier ones. */
export type StartProgress =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'left'; readonly leftMs: number; readonly ratio: number }
  | { readonly kind: 'longer'; readonly usualMs: number; readonly ratio: number }

const isStartTime = (durationMs: number): boolean =>
  Number.isSafeInteger(durationMs) && durationMs > 0 && durationMs <= LONGEST_START_MS

/** The starts to keep after one more, oldest first. A time that cannot be one changes nothing. */
export const keptStarts = (earlierMs: readonly number[], durationMs: number): readonly number[] =>
  isStartTime(durationMs) ? [...earlierMs, durationMs].slice(-STARTS_KEPT) : earlierMs

/** The usual time of a start; null with fewer starts than a usual time needs. */
export const usualStart = (startsMs: readonly number[]): UsualStart | null => {
  if (startsMs.length < STARTS_NEEDED) return null
  const sorted = startsMs.toSorted((one, other) => one - other)
  const last = sorted.length - 1
  const at = (share: number): number => sorted[Math.round(last * share)] ?? 0
  return { count: sorted.length, lowMs: at(0.25), medianMs: at(0.5), highMs: at(0.75) }
}

/** The forecast for a start that has taken some time so far. */
export const startProgress = (elapsedMs: number, usual: UsualStart | null): StartProgress => {
  if (usual === null) return { kind: 'unknown' }
  const { medianMs } = usual
  if (elapsedMs >= medianMs) return { kind: 'longer', usualMs: medianMs, ratio: MOST_OF_BAR }
  const ratio = Math.min(MOST_OF_BAR, Math.max(0, elapsedMs) / medianMs)
  return { kind: 'left', leftMs: medianMs - Math.max(0, elapsedMs), ratio }
}
