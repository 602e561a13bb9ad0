// How many tests of a suite passed, failed and were skipped, from what its runner wrote.
import { existsSync, readFileSync } from 'node:fs'

/** Counts of vitest's JSON report; a file that could not be loaded is one failure. */
export function vitestCounts(report) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Counts of Playwright's JSON report; a test that passed only when repeated has failed. */
export function playwrightCounts(report) {
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped }
}

/** Counts of a suite that is one verdict. */
export const verdictCounts = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 })

/**
 * Counts from a report file. A runner that wrote none, or that failed without a failed test (an error outside of every
 * test), is one failure.
 */
export function countsFrom(file, count, isGood) {
  if (!existsSync(file)) return verdictCounts(false)
  const counts = count(JSON.parse(readFileSync(file, 'utf8')))
  return isGood || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}
