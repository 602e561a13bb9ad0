import { commandWithoutSecrets, HIDDEN } from '#domain/servers/command-secrets.ts'
import { REDACTED, redactText } from '#platform/redaction.ts'

const COMMAND = 'server:console.command'

/** The text of an activity without secrets. It is hidden when the text is stored, and again when an older one is read. */
export const safeDetail = (type: string, text: string): string =>
  redactText(type === COMMAND ? commandWithoutSecrets(text) : text).replaceAll(REDACTED, HIDDEN)
