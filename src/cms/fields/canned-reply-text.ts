import type { TextareaFieldValidation } from 'payload'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { REPLY_PLACEHOLDERS, unknownPlaceholders } from '#domain/tickets/canned-reply.ts'
import { textIn, words } from './languages.ts'

const KNOWN = REPLY_PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')

const FAULTS = {
  empty: words('Write the reply.', 'Írd meg a választ.', 'Schreibe die Antwort.'),
  tooLong: words(
    `At most ${TICKET_BOUNDS.message} characters.`,
    `Legfeljebb ${TICKET_BOUNDS.message} karakter lehet.`,
    `Höchstens ${TICKET_BOUNDS.message} Zeichen.`,
  ),
  unknown: words(
    `We don't know these placeholders: {found}. Use ${KNOWN}.`,
    `Ezeket a helyőrzőket nem ismerjük: {found}. Ezek használhatók: ${KNOWN}.`,
    `Diese Platzhalter kennen wir nicht: {found}. Verwende ${KNOWN}.`,
  ),
}

/** The placeholders, for whoever writes a reply. */
export const placeholderHint = words(
  `Placeholders: ${KNOWN}. You fill in the ones that have no value before you send the reply.`,
  `Helyőrzők: ${KNOWN}. Amelyiknek nincs értéke, azt a küldés előtt te töltöd ki.`,
  `Platzhalter: ${KNOWN}. Was keinen Wert hat, füllst du vor dem Senden aus.`,
)

/** Refuses an empty reply, one that no message can hold, and placeholders that nothing fills in. */
export const refuseBadReply: TextareaFieldValidation = (value, { req }) => {
  const { language } = req.i18n
  if (typeof value !== 'string' || value.trim() === '') return textIn(language, FAULTS.empty)
  if (value.length > TICKET_BOUNDS.message) return textIn(language, FAULTS.tooLong)
  const unknown = unknownPlaceholders(value)
  if (unknown.length === 0) return true
  return textIn(language, FAULTS.unknown).replace('{found}', () => unknown.join(', '))
}
