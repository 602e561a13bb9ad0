import { pino } from 'pino'
import { REDACTED, SECRET_FIELDS } from '../lib/site/log-line.ts'

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/** JSON lines on standard output, without secrets and without query strings. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: { program: 'site' },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: REDACTED },
  })
