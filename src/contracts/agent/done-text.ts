/** Marks a done text as an expression, as opposed to a plain part of a line. */
export const DONE_EXPRESSION = 'regex:'

/** The expression of a done text, or undefined for a plain text. Throws RegExp's error when it does not compile. */
export function doneExpression(pattern: string): RegExp | undefined {
  if (!pattern.startsWith(DONE_EXPRESSION)) return undefined
  const source = pattern.slice(DONE_EXPRESSION.length)
  // Templates are written for RE2, which puts "ignore case" before the expression.
  return source.startsWith('(?i)') ? new RegExp(source.slice(4), 'i') : new RegExp(source)
}

/** Why this done text can never match, or undefined. Checked when a template is saved and when a server starts. */
export function doneTextProblem(pattern: string): string | undefined {
  try {
    doneExpression(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'It does not compile.'
  }
}
