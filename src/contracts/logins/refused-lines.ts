/** The lines about refusals of one kind that a person leaves in a server's log within an hour: clients repeat what was refused. */
export const REFUSED_LINES = 5
export const REFUSED_LINES_WITHIN_MS = 3_600_000

/** Whether one more refusal has a line of its own, after those at these times. */
export const hasRefusalLine = (earlierMs: readonly number[], nowMs: number): boolean =>
  earlierMs.filter((atMs) => atMs > nowMs - REFUSED_LINES_WITHIN_MS).length < REFUSED_LINES
