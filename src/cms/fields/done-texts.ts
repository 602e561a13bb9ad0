import { doneTextProblem } from '#contracts/agent/done-text.ts'

/** Refuses, when it is saved, a line that could never match because its expression does not compile. */
export const refuseBadDoneTexts = (value: string | null | undefined): true | string => {
  const lines = (value ?? '').split('\n').map((line) => line.trim())
  const problem = lines.map((line) => doneTextProblem(line)).find((found) => found !== undefined)
  return problem ?? true
}
