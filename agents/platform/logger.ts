import { pino } from 'pino'

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const SECRET_KEYS = ['token', 'password', 'secret', 'authorization', 'cookie', 'signature', 'privateKey', 'environment']

/** JSON lines on standard output. Fields that may hold secrets are blanked wherever they stand. */
export const createLogger = (level: string): Log =>
  pino({
    level,
    base: { program: 'agent' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    serializers: { err: pino.stdSerializers.err },
  })

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }
