import { createPrivateKey } from 'node:crypto'
import * as z from 'zod'
import { MailAddress } from '#contracts/mail/mail.ts'
import { imapSettingsFrom, type ImapSettings } from '../inbox/imap-settings.ts'
import { LONGEST_LOCAL_PART } from '../inbox/mail-addresses.ts'
import { smtpSettingsFrom, type SmtpSettings } from './smtp-settings.ts'

/** The key that signs outgoing mails (RFC 6376). `privateKey` is in PEM format. */
export type DkimKey = { readonly selector: string; readonly privateKey: string }

/** Reads `selector:<base64 of a PKCS #8 key>`, RSA with at least 2048 bits; undefined for anything else. The mail library signs with no other kind. */
export function dkimKeyFrom(text: string): DkimKey | undefined {
  const [, selector, base64] = /^([a-z0-9](?:[a-z0-9.-]{0,60}[a-z0-9])?):([A-Za-z0-9+/=]+)$/i.exec(text) ?? []
  if (selector === undefined || base64 === undefined) return undefined
  try {
    const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
    const isLong = key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048
    if (!isLong) return undefined
    return { selector, privateKey: key.export({ format: 'pem', type: 'pkcs8' }).toString() }
  } catch {
    return undefined
  }
}

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const readBy = <Value>(read: (text: string) => Value | undefined) =>
  optional(
    z.string().transform((text, issues) => {
      const value = read(text)
      if (value === undefined) issues.addIssue({ code: 'custom', message: 'has another form' })
      return value ?? z.NEVER
    }),
  )

/** An address whose local part leaves room for what is signed behind it. */
const ReplyAddress = MailAddress.refine(
  (address) => /^[^+@]+@/.test(address) && address.indexOf('@') <= LONGEST_LOCAL_PART,
)

/** The variables of mail servers. */
export const MAIL_VARIABLES = {
  /** The mail server while staff have entered none: `smtp://user:password@host:587`, or `smtps:`. */
  SMTP_URL: readBy(smtpSettingsFrom),
  MAIL_FROM: optional(MailAddress),
  /** In the demo mails are files in this folder. */
  MAIL_FOLDER: optional(z.string()),
  /** Signs mails: `selector:<base64 of a PKCS #8 key>`. */
  MAIL_DKIM: readBy(dkimKeyFrom),
  /** The mailbox for replies to tickets, which belongs to this installation alone: `imaps://user:password@host:993/INBOX`. */
  IMAP_URL: readBy(imapSettingsFrom),
  /** The address of that mailbox; its server delivers `local+anything@domain` to it too. */
  MAIL_REPLY_TO: optional(ReplyAddress),
  /** The header in which the operator's filter says `yes` to spam. */
  MAIL_SPAM_HEADER: optional(z.string().regex(/^[A-Za-z0-9-]{1,60}$/)),
} as const

const Variables = z.object(MAIL_VARIABLES)

export type MailSettings = {
  readonly smtp: SmtpSettings | undefined
  readonly from: string | undefined
  readonly folder: string | undefined
  readonly dkim: DkimKey | undefined
  /** Replies by mail; undefined where no mailbox is configured, and then nothing offers them. */
  readonly replies:
    { readonly imap: ImapSettings; readonly address: string; readonly spamHeader: string | undefined } | undefined
}

export const mailSettings = (variables: z.infer<typeof Variables>): MailSettings => {
  const { IMAP_URL: imap, MAIL_REPLY_TO: address, MAIL_SPAM_HEADER: header } = variables
  return {
    smtp: variables.SMTP_URL,
    from: variables.MAIL_FROM,
    folder: variables.MAIL_FOLDER,
    dkim: variables.MAIL_DKIM,
    replies: imap && address ? { imap, address, spamHeader: header?.toLowerCase() } : undefined,
  }
}

/** Variables that do not go together, one sentence for each. */
export const mailProblems = ({ IMAP_URL: imap, MAIL_REPLY_TO: address }: z.infer<typeof Variables>): string[] => {
  if ((imap === undefined) === (address === undefined)) return []
  return [imap ? 'MAIL_REPLY_TO is missing: IMAP_URL needs it.' : 'IMAP_URL is missing: MAIL_REPLY_TO needs it.']
}
