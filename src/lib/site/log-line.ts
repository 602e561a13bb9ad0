const LEVELS = { warn: 40, error: 50 } as const

/** Fields that never reach a line of the site's log, whoever writes it. */
export const SECRET_FIELDS = ['password', 'token', 'secret', 'authorization', 'cookie', 'access_token', 'refresh_token']
export const REDACTED = '[redacted]'

const withoutSecrets = (name: string, value: unknown): unknown => (SECRET_FIELDS.includes(name) ? REDACTED : value)

/** Writes a JSON line in the form of the site's log, without secrets. Routes use it: Next hands them no logger. */
export const logLine = (level: keyof typeof LEVELS, fields: Readonly<Record<string, unknown>>, msg: string): void => {
  const line = { level: LEVELS[level], program: 'site', ...fields, msg }
  process.stderr.write(`${JSON.stringify(line, withoutSecrets)}\n`)
}
