import { createHash } from 'node:crypto'
import { replyText, type ReplyText } from '#domain/mail/reply-text.ts'
import { parseMail, type MailFile, type ParsedMail } from './parse-mail.ts'

/** Everything that follows from the bytes of a mail alone; a thread hands it over as it is. */
export type MailContent = {
  /** Null for a mail that nobody reads: its form is not honest, or reading it took more than a mail may take. */
  readonly parsed: ParsedMail | null
  readonly body: ReplyText
  /** In hexadecimal, as the other one. Mails with it in common say the same. */
  readonly textSha256: string
  readonly sourceSha256: string
}

/** Reads a mail. Rejects when it was not read at all: the mail is to be read later. */
export type ReadContent = (source: Uint8Array) => Promise<MailContent>

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Equal for mails with the same files, by their bytes, and texts that differ in spaces alone: telephones give every picture the same name. */
const textSha256 = (body: ReplyText, files: readonly MailFile[]): string =>
  sha256(
    JSON.stringify([
      body.text.trim().toLowerCase().replaceAll(/\s+/g, ' '),
      files.map(({ name, bytes }) => [name, sha256(bytes)]),
    ]),
  )

const contentFrom = (source: Uint8Array, parsed: ParsedMail | null): MailContent => {
  const body = replyText(parsed?.text ?? '')
  return { parsed, body, textSha256: textSha256(body, parsed?.files ?? []), sourceSha256: sha256(source) }
}

/** Reads a mail here. It takes up to seconds of a core. */
export const contentOf: ReadContent = async (source) => contentFrom(source, await parseMail(source))

/** The content of a mail that cannot be parsed. */
export const unreadable = (source: Uint8Array): MailContent => contentFrom(source, null)
