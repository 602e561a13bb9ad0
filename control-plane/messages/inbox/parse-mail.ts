import PostalMime, { addressParser, type Attachment, type Email } from 'postal-mime'
import { textOfHtml } from '#domain/mail/html-text.ts'
import { deliveryReport, type DeliveryReport, type MailHeader } from '#domain/mail/received-mail.ts'
import { MailAddress, MessageId } from '#contracts/mail/mail.ts'

/**
 * The bounds of a mail's form: honest mails have a few parts in a few levels, and headers of some kilobytes. The parser takes its time for
 * each line: files in base64 have lines of 76 bytes, so that a mail of 25 MB has few shorter ones.
 */
const BOUNDS = {
  depth: 12,
  headerBytes: 256 * 1_024,
  partingLines: 4_000,
  shortLines: 100_000,
  textLength: 400_000,
} as const

export type MailFile = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }

/** A received mail. */
export type ParsedMail = {
  readonly headers: readonly MailHeader[]
  /** The one address in From, in lower case; null for none, several or an odd one. */
  readonly sender: string | null
  readonly messageId: string | null
  /** The text that is shown, from plain text or HTML; empty if there is nothing. */
  readonly text: string
  readonly files: readonly MailFile[]
  /** The report of a mail server (RFC 3464). */
  readonly report: DeliveryReport | null
}

const DASH = 0x2d
const LINE_FEED = 0x0a

/** Shorter than any full line of a file in base64. */
const SHORT = 60

/** Whether a mail has no more lines than an honest one: a bomb has a million empty parts, or a million lines. */
const hasFewLines = (source: Uint8Array): boolean => {
  let [parting, short, from] = [0, 0, 0]
  while (parting <= BOUNDS.partingLines && short <= BOUNDS.shortLines) {
    const end = source.indexOf(LINE_FEED, from)
    if (end === -1) return true
    if (end - from < SHORT) short += 1
    from = end + 1
    if (source[from] === DASH && source[from + 1] === DASH) parting += 1
  }
  return false
}

const senderOf = (headers: readonly MailHeader[]): string | null => {
  const values = headers.filter(({ name }) => name === 'from').map(({ value }) => value)
  if (values.length !== 1 || (values[0]?.length ?? 0) > 2_000) return null
  const [first, ...others] = addressParser(values[0] ?? '', { flatten: true })
  const address = others.length === 0 ? first?.address?.toLowerCase() : undefined
  return MailAddress.safeParse(address).data ?? null
}

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)

/** Signatures of mail programs mean nothing to readers. */
const SIGNATURES = ['application/pkcs7-signature', 'application/x-pkcs7-signature', 'application/pgp-signature']

const reportOf = ({ attachments }: Email): DeliveryReport | null => {
  const parts = attachments.filter(({ mimeType }) => mimeType === 'message/delivery-status')
  const [part] = parts
  if (parts.length !== 1 || part === undefined) return null
  return deliveryReport(Buffer.from(bytesOf(part)).subarray(0, BOUNDS.headerBytes).toString('utf8'))
}

// PostgreSQL stores no NUL, and halves of characters are none.
const storable = (text: string): string => text.slice(0, BOUNDS.textLength).replaceAll('\0', '').toWellFormed()

/**
 * Reads a mail, or null for one whose form is not honest: too deep, too many parts or lines, headers without end. Nothing in it is run, loaded or
 * decoded twice; attachments stay bytes.
 */
export async function parseMail(source: Uint8Array): Promise<ParsedMail | null> {
  if (!hasFewLines(source)) return null
  const email = await PostalMime.parse(source, {
    maxNestingDepth: BOUNDS.depth,
    maxHeadersSize: BOUNDS.headerBytes,
    forceRfc822Attachments: true,
    maxRfc822NestingDepth: 0,
  }).catch(() => null)
  if (email === null) return null
  const headers = email.headers.map(({ key, value }) => ({ name: key, value }))
  const files = email.attachments
    .filter(({ mimeType }) => !SIGNATURES.includes(mimeType))
    .map((part) => ({ name: storable(part.filename ?? ''), mediaType: part.mimeType, bytes: bytesOf(part) }))
  const isEmpty = !/\S/.test(email.text ?? '')
  const text = isEmpty ? textOfHtml((email.html ?? '').slice(0, BOUNDS.textLength)) : (email.text ?? '')
  return {
    headers,
    sender: senderOf(headers),
    messageId: MessageId.safeParse(email.messageId?.trim()).data ?? null,
    text: storable(text),
    files,
    report: reportOf(email),
  }
}
