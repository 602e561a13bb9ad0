import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { countsFrom, playwrightCounts, vitestCounts } from '../../../../scripts/suites/test-counts.mjs'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

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

const GOOD = { isGood: true, how: 'exit code 0' }
const BAD = { isGood: false, how: 'exit code 1' }

test('a runner that wrote no report is one failure, which names the file and how the runner ended', () => {
  const file = join(temporaryFolder(), 'report.json')
  expect(countsFrom(file, playwrightCounts, GOOD)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
    reason: `no report written at ${file}, exit code 0`,
  })
  writeFileSync(file, '{"stats":')
  expect(countsFrom(file, playwrightCounts, BAD)).toMatchObject({
    failed: 1,
    reason: expect.stringMatching(/^the report at .*report\.json cannot be read \(.+\), exit code 1$/),
  })
})

test('a runner that failed without a failed test is one failure, and that is said', () => {
  const file = join(temporaryFolder(), 'report.json')
  writeFileSync(file, JSON.stringify({ ...report, numFailedTests: 0, testResults: [] }))
  const reason = 'no test failed, but exit code 1'
  expect(countsFrom(file, vitestCounts, BAD)).toEqual({ passed: 3, failed: 1, skipped: 2, reason })
  expect(countsFrom(file, vitestCounts, GOOD)).toEqual({ passed: 3, failed: 0, skipped: 2 })
})
