const MINUTE_LENGTH = '2026-11-20T18:42'.length

/** The minute of a moment as an address has it, `2026-11-20T18:42Z`: in UTC, so that it is the same one for every reader. */
export const minuteText = (moment: string | number): string =>
  `${new Date(moment).toISOString().slice(0, MINUTE_LENGTH)}Z`

/** When such a minute begins; NaN for a text that is none, also for a minute of a day that does not exist. */
export const minuteMs = (text: string): number => {
  const atMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) || minuteText(atMs) !== text ? Number.NaN : atMs
}
