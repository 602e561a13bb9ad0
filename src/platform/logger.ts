import { pino } from 'pino'
import { bufferedOutput } from './buffered-output.ts'
import { redactFields, redactText } from './redaction.ts'

/** The log that most code receives. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A program's own log. */
export interface Logger extends Log {
  debug(fields: object, message: string): void
  /** A log that adds these fields to every line. */
  child(fields: Record<string, unknown>): Logger
}

// pino does not redact the fields of a child logger.
const redacting = (log: Logger): Logger => ({
  info: (fields, message) => log.info(fields, message),
  warn: (fields, message) => log.warn(fields, message),
  error: (fields, message) => log.error(fields, message),
  debug: (fields, message) => log.debug(fields, message),
  child: (fields) => redacting(log.child(redactFields(fields))),
})

const ERROR_LEVEL = 50

type Options = {
  /**
   * Writes lines in blocks: for a busy program a write per line costs more than the response that the line describes. Errors, and the
   * end of the process, flush the buffer; a killed process loses the lines of the last 100 ms.
   */
  readonly isBuffered?: boolean
}

/** JSON lines on standard output, each with program and time, without secrets. */
export const createLogger = (program: string, level = 'info', { isBuffered = false }: Options = {}): Logger => {
  const buffer = isBuffered ? bufferedOutput(1) : undefined
  return redacting(
    pino(
      {
        level,
        base: { program },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { log: redactFields },
        // Errors are plain fields by then.
        serializers: { err: (error: unknown) => error },
        hooks: {
          logMethod(values, method, levelOfLine) {
            const [fields, message] = values
            method.apply(this, [fields, typeof message === 'string' ? redactText(message) : message])
            if (levelOfLine >= ERROR_LEVEL) buffer?.push()
          },
        },
      },
      buffer ?? pino.destination(1),
    ),
  )
}

export const silentLog: Logger = {
  info: () => {},
  warn: () => {},
  error: () => {},
  debug: () => {},
  child: () => silentLog,
}
