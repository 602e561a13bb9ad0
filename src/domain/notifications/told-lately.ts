/** Each trouble of a server is told at most once in this time, however often it happens. */
const EACH_MS = 3_600_000

/** The moment from which on a trouble that was told already is not told again. */
export const toldSinceMs = (nowMs: number): number => nowMs - EACH_MS
