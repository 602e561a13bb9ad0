export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** The reason of a failure that no failed test explains. */
  reason?: string
}
/** How a suite's process ended, also in words. */
export interface Outcome {
  isGood: boolean
  how: string
}
export function vitestCounts(report: unknown): Counts
export function playwrightCounts(report: unknown): Counts
export function verdictCounts(outcome: Outcome): Counts
export function countsFrom(file: string, count: (report: unknown) => Counts, outcome: Outcome): Counts
