import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { countsFrom, playwrightCounts, vitestCounts } from '../../../scripts/test-counts.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const report = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ],
}

test('a file that vitest could not load counts as one failure', () => {
  expect(vitestCounts(report)).toEqual({ passed: 3, failed: 2, skipped: 2 })
})

test('a flaky test and an error outside of the tests have failed', () => {
  const playwright = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] }
  expect(playwrightCounts(playwright)).toEqual({ passed: 4, failed: 3, skipped: 2 })
})

test('a runner without a report, or that failed without a failed test, is one failure', () => {
  const file = join(temporaryFolder(), 'report.json')
  expect(countsFrom(file, vitestCounts, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  writeFileSync(file, JSON.stringify({ ...report, numFailedTests: 0, testResults: [] }))
  expect(countsFrom(file, vitestCounts, false)).toEqual({ passed: 3, failed: 1, skipped: 2 })
  expect(countsFrom(file, vitestCounts, true)).toEqual({ passed: 3, failed: 0, skipped: 2 })
})
