import { DONE_EXPRESSION, doneExpression, doneTextProblem } from '#contracts/agent/done-text.ts'

// CSI sequences, OSC sequences and the two-byte escapes: everything that terminals use for colours and cursor movement.
const ESCAPE = String.fromCharCode(27)
const BELL = String.fromCharCode(7)
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)|[@-Z\\\\-_])`,
  'g',
)

export const stripAnsi = (text: string): string => text.replace(ANSI, '')

export type LineTest = (line: string) => boolean

/** A longer line is cut before an expression is applied, which bounds the cost of a bad expression. */
const MAX_TESTED = 2_048

const compile = (pattern: string): LineTest => {
  if (doneTextProblem(pattern) !== undefined) {
    // An invalid expression is compared as text, with and without its prefix, instead of never matching.
    return (line) => line.includes(pattern) || line.includes(pattern.slice(DONE_EXPRESSION.length))
  }
  const expression = doneExpression(pattern)
  return expression === undefined ? (line) => line.includes(pattern) : (line) => expression.test(line)
}

/**
 * Detects the line that says that the server is ready. `done` holds substrings or `regex:` expressions (the template's
 * done text); without any, the first line counts.
 */
export const startupDetector = (done: readonly string[], options: { readonly stripAnsi: boolean }): LineTest => {
  const tests = done.filter((pattern) => pattern !== '').map(compile)
  if (tests.length === 0) return () => true
  return (line) => {
    const text = (options.stripAnsi ? stripAnsi(line) : line).slice(0, MAX_TESTED)
    return tests.some((test) => test(text))
  }
}
