// The failed tests of a suite with their messages, from its runner's report: `npm test` repeats them at its end, where
// they are found without scrolling and are kept by a CI that records only the last lines.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Enough for an assertion with its diff and the line of the test; a page of HTML is cut. */
const MOST_LINES = 30

/** vitest's text in place of "timed out in N ms". */
const TIMED_OUT = 'Error: STACK_TRACE_ERROR'

const failure = (where, text) => {
  const lines = stripVTControlCharacters(text ?? '')
    .replace(TIMED_OUT, 'Error: The test or its hook timed out.')
    .split('\n')
  const rest = lines.length - MOST_LINES
  return { where, lines: rest > 0 ? [...lines.slice(0, MOST_LINES), `(${rest} more lines)`] : lines }
}

/** Failed tests in vitest's JSON report, and files that could not be loaded. */
export function vitestFailures(report) {
  return report.testResults.flatMap((file) => {
    const name = relative(process.cwd(), file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return file.status === 'failed' ? [failure(name, file.message)] : []
    return failed.map((test) => failure(`${name} > ${test.fullName}`, test.failureMessages?.join('\n')))
  })
}

/** The open pages as a screen reader has them, which a failed journey attaches (tests/e2e/test.ts). */
const pagesOf = ({ attachments = [] }) =>
  attachments
    .filter(({ name, body }) => name === 'page' && body !== undefined)
    .map(({ body }) => Buffer.from(body, 'base64').toString('utf8').split('\n'))

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

/** Failed and flaky tests in Playwright's JSON report, and errors outside of every test. */
export function playwrightFailures(report) {
  const outside = report.errors.map((error) => failure('outside of every test', error.message))
  const inside = report.suites.flatMap(specsOf).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) => {
        const errors = test.results.flatMap((result) => result.errors ?? [])
        const where = `${spec.file}:${spec.line} > ${spec.title}`
        const { lines } = failure(where, errors.map(({ message }) => message).join('\n'))
        return { where, lines: [...lines, ...test.results.flatMap(pagesOf).flat()] }
      }),
  )
  return [...outside, ...inside]
}

/** The failures that `read` finds in a report file; none without a readable report, which the counts report. */
export function failuresFrom(file, read) {
  if (!existsSync(file)) return []
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
