import { pino } from 'pino'

export type Logger = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
  child(fields: Record<string, unknown>): Logger
}

/** Fields that never reach a log line, at any of the depths where our own objects carry them. */
const SECRET_FIELDS = [
  'password',
  'token',
  'secret',
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'databaseUrl',
  'redisUrl',
]

/** A JSON logger with the secret fields redacted. */
export function createLogger(program: string, level = 'info'): Logger {
  return pino({
    level,
    base: { program },
    redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
  })
}
