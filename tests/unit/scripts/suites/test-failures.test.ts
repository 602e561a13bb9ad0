import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { failuresFrom, playwrightFailures, vitestFailures } from '../../../../scripts/suites/test-failures.mjs'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const RED = '\u001B[31mexpected 1 to be 2\u001B[39m'
const vitestReport = {
  testResults: [
    {
      name: resolve('tests/unit/sum.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'passed', fullName: 'adds', failureMessages: [] },
        { status: 'failed', fullName: 'subtracts', failureMessages: [RED, 'at sum.test.ts:4'] },
      ],
    },
    { name: resolve('tests/unit/gone.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
    { name: resolve('tests/unit/good.test.ts'), status: 'passed', message: '', assertionResults: [] },
  ],
}

test('vitest: failed tests and files that could not be loaded, without colours', () => {
  expect(vitestFailures(vitestReport)).toEqual([
    { where: 'tests/unit/sum.test.ts > subtracts', lines: ['expected 1 to be 2', 'at sum.test.ts:4'] },
    { where: 'tests/unit/gone.test.ts', lines: ['no such module'] },
  ])
})

test('vitest: a time-out is told as one', () => {
  const failureMessages = ['Error: STACK_TRACE_ERROR\n    at sum.test.ts:4']
  const assertionResults = [{ status: 'failed', fullName: 'waits', failureMessages }]
  const file = { name: resolve('tests/unit/sum.test.ts'), status: 'failed', message: '', assertionResults }
  expect(vitestFailures({ testResults: [file] })).toEqual([
    {
      where: 'tests/unit/sum.test.ts > waits',
      lines: ['Error: The test or its hook timed out.', '    at sum.test.ts:4'],
    },
  ])
})

const spec = (title: string, status: string, message?: string) => ({
  title,
  file: 'shells.e2e.ts',
  line: 7,
  tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }] }],
})

test('playwright: the pages that a failed journey attached follow its message', () => {
  const body = Buffer.from('Page http://localhost/en\n- dialog "New file"').toString('base64')
  const attachments = [
    { name: 'screenshot', path: 'a.png' },
    { name: 'page', body },
  ]
  const results = [{ errors: [{ message: 'no row' }], attachments }]
  const specs = [{ ...spec('a', 'unexpected'), tests: [{ status: 'unexpected', results }] }]
  expect(playwrightFailures({ errors: [], suites: [{ specs }] })).toEqual([
    { where: 'shells.e2e.ts:7 > a', lines: ['no row', 'Page http://localhost/en', '- dialog "New file"'] },
  ])
})

test('playwright: failed and flaky tests of nested suites, and errors outside of every test', () => {
  const report = {
    errors: [{ message: 'no browser' }],
    suites: [
      {
        specs: [spec('a', 'expected')],
        suites: [{ specs: [spec('b', 'unexpected', 'time-out'), spec('c', 'flaky')] }],
      },
    ],
  }
  expect(playwrightFailures(report)).toEqual([
    { where: 'outside of every test', lines: ['no browser'] },
    { where: 'shells.e2e.ts:7 > b', lines: ['time-out'] },
    { where: 'shells.e2e.ts:7 > c', lines: [''] },
  ])
})

test('a long message is cut, and says by how much', () => {
  const message = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
  const [only] = playwrightFailures({ errors: [{ message }], suites: [] })
  expect(only?.lines.slice(-2)).toEqual(['line 29', '(10 more lines)'])
})

test('a report that is missing or cut off has no failures to tell: its counts say so', () => {
  const file = join(temporaryFolder(), 'report.json')
  expect(failuresFrom(file, vitestFailures)).toEqual([])
  writeFileSync(file, '{"testResults":')
  expect(failuresFrom(file, vitestFailures)).toEqual([])
  writeFileSync(file, JSON.stringify(vitestReport))
  expect(failuresFrom(file, vitestFailures)).toHaveLength(2)
})
