import { redactFields, redactText } from '#platform/redaction.ts'

const LEVELS = { warn: 40, error: 50 } as const

/**
 * Writes a JSON line in the format of the site's log, without secrets. Routes use it, because Next passes them no
 * logger.
 */
export const logLine = (
  level: keyof typeof LEVELS,
  fields: Readonly<Record<string, unknown>>,
  message: string,
): void => {
  const head = { level: LEVELS[level], time: new Date().toISOString(), program: 'site' }
  process.stderr.write(`${JSON.stringify({ ...head, ...redactFields(fields), msg: redactText(message) })}\n`)
}
