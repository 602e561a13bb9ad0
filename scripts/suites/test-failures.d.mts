export interface Failure {
  /** File and name of the test. */
  where: string
  /** The runner's output for it, without colours. */
  lines: string[]
}
export function vitestFailures(report: unknown): Failure[]
export function playwrightFailures(report: unknown): Failure[]
export function failuresFrom(file: string, read: (report: unknown) => Failure[]): Failure[]
