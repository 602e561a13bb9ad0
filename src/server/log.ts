import { pino } from 'pino'

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

const SECRET_FIELDS = ['password', 'token', 'secret', 'authorization', 'cookie', 'access_token', 'refresh_token']

/** JSON lines on standard output, without secrets and without query strings. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: { program: 'site' },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
  })
