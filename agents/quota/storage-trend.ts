/** The bytes that a server's files took at a moment. */
export interface StoragePoint {
  readonly atMs: number
  readonly bytes: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Older points say nothing about today. */
export const KEPT_MS = 6 * HOUR_MS

/**
 * Whether the storage is full in less than a day if it grows on as it did in the last hour, and as it did in all of the known time:
 * a world that is being generated and an archive that is being made grow fast, and end. False before an hour is known, while
 * less than half of the storage is used, and once it is full. Points are in the order of time.
 */
export const fillsWithinADay = (points: readonly StoragePoint[], limitBytes: number): boolean => {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return false
  const hourAgo = points.findLast(({ atMs }) => last.atMs - atMs >= HOUR_MS)
  const room = limitBytes - last.bytes
  if (hourAgo === undefined || room <= 0 || last.bytes * 2 < limitBytes) return false
  const fills = (since: StoragePoint): boolean =>
    ((last.bytes - since.bytes) / (last.atMs - since.atMs)) * DAY_MS > room
  return fills(hourAgo) && fills(first)
}

/** A history shorter than this says nothing about the next hour. */
const KNOWN_MS = HOUR_MS / 3
/** From this share on. A storage with more room has time to be known for an hour. */
const NEARLY_FULL = 0.9

/**
 * Whether a nearly full storage is full within an hour if it grows on as it did in all of the known time, and as it did last. It
 * is said sooner than the growth of a day: a storage can be full before an hour is known.
 */
export const fillsWithinAnHour = (points: readonly StoragePoint[], limitBytes: number): boolean => {
  const [first, before, last] = [points[0], points.at(-2), points.at(-1)]
  if (first === undefined || before === undefined || last === undefined) return false
  const room = limitBytes - last.bytes
  if (last.atMs - first.atMs < KNOWN_MS || room <= 0 || last.bytes < limitBytes * NEARLY_FULL) return false
  const fills = (since: StoragePoint): boolean =>
    ((last.bytes - since.bytes) / (last.atMs - since.atMs)) * HOUR_MS > room
  return fills(first) && fills(before)
}
