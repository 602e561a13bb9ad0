export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Why it failed, where the failed tests do not tell. */
  reason?: string
}
/** How the process of a suite ended, in words too. */
export interface Outcome {
  isGood: boolean
  how: string
}
export function vitestCounts(report: unknown): Counts
export function playwrightCounts(report: unknown): Counts
export function verdictCounts(outcome: Outcome): Counts
export function countsFrom(file: string, count: (report: unknown) => Counts, outcome: Outcome): Counts
