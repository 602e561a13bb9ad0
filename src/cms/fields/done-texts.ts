import { doneTextProblem } from '#contracts/agent/done-text.ts'

/** Refuses, at the time of saving, a line that could never be seen because its expression does not compile. */
export const refuseBadDoneTexts = (value: string | null | undefined): true | string => {
  const lines = (value ?? '').split('\n').map((line) => line.trim())
  const problem = lines.map((line) => doneTextProblem(line)).find((found) => found !== undefined)
  return problem ?? true
}
