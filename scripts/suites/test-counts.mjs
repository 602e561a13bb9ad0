// The counts of passed, failed and skipped tests of a suite, from its runner's report.
import { existsSync, readFileSync } from 'node:fs'

/** Counts in vitest's JSON report; a file that could not be loaded is one failure. */
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

/** Counts in Playwright's JSON report; a test that passed only in a retry has failed. */
export function playwrightCounts(report) {
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped }
}

/** Counts of a suite with a single verdict. `outcome` is how its process ended. */
export const verdictCounts = ({ isGood, how }) =>
  isGood ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0, reason: how }

/**
 * Counts from a report file. A runner without a report, or that failed without a failed test (an error outside of every
 * test), is one failure, and `reason` says so: its output alone may look as if everything had passed.
 */
export function countsFrom(file, count, { isGood, how }) {
  const failed = { passed: 0, failed: 1, skipped: 0 }
  if (!existsSync(file)) return { ...failed, reason: `no report written at ${file}, ${how}` }
  let counts
  try {
    counts = count(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    return { ...failed, reason: `the report at ${file} cannot be read (${error.message}), ${how}` }
  }
  if (isGood || counts.failed > 0) return counts
  return { ...counts, failed: 1, reason: `no test failed, but ${how}` }
}
