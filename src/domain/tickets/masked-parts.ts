import { LOG_MARKS } from '../servers/redaction.ts'

/** How many addresses, e-mail addresses and keys were taken out of these lines, by the marks that stand in their place. */
export const maskedParts = (lines: readonly string[]): number =>
  Object.values(LOG_MARKS).reduce(
    (count, mark) => count + lines.reduce((inLines, line) => inLines + line.split(mark).length - 1, 0),
    0,
  )
