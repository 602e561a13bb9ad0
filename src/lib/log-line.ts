const LEVELS = { warn: 40, error: 50 } as const

/** Writes a JSON line in the form of the site's log. Routes use it: Next hands them no logger. */
export const logLine = (level: keyof typeof LEVELS, fields: Readonly<Record<string, unknown>>, msg: string): void => {
  process.stderr.write(`${JSON.stringify({ level: LEVELS[level], program: 'site', ...fields, msg })}\n`)
}
