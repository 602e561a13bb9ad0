export interface Counts {
  passed: number
  failed: number
  skipped: number
}
export function vitestCounts(report: unknown): Counts
export function playwrightCounts(report: unknown): Counts
export function verdictCounts(isGood: boolean): Counts
export function countsFrom(file: string, count: (report: unknown) => Counts, isGood: boolean): Counts
