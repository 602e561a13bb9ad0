import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import PostalMime, { type Email } from 'postal-mime'
import { dkimOf, type DkimSignature } from './dkim.ts'
import type { MailServers } from './mail-servers.ts'
import { waitFor } from './wait-for.ts'

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const PUBLIC_KEY = KEYS.publicKey.export({ format: 'pem', type: 'spki' }).toString()
const PRIVATE_KEY = KEYS.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')

export const MAIL_DOMAIN = 'host.example'

/** The settings of an installation that sends and reads its mails by these servers. */
export const variablesOf = ({ imap, smtpPort }: MailServers): Record<string, string> => ({
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  MAIL_FROM: `noreply@${MAIL_DOMAIN}`,
  MAIL_DKIM: `s1:${PRIVATE_KEY}`,
  IMAP_URL: `imap://${imap.username}:${imap.password}@${imap.host}:${imap.port}/${imap.folder}`,
  MAIL_REPLY_TO: `tickets@${MAIL_DOMAIN}`,
})

export type ReceivedMail = { readonly mail: Email; readonly signature: DkimSignature | undefined }

/** Every mail to an address, oldest first, with the signature of its domain. */
export const mailsTo = (servers: MailServers, address: string): Promise<ReceivedMail[]> =>
  Promise.all(
    servers
      .mailsOf(address)
      .map(async (source) => ({ mail: await PostalMime.parse(source), signature: dkimOf(source, PUBLIC_KEY) })),
  )

/** The first mail to an address whose subject has this form. */
export const mailTo = (servers: MailServers, address: string, subject: RegExp): Promise<ReceivedMail> =>
  waitFor(`a mail to ${address}`, async () =>
    (await mailsTo(servers, address)).find(({ mail }) => subject.test(mail.subject ?? '')),
  )

/** The code that was mailed to an address. */
export const codeFrom =
  (servers: MailServers) =>
  async (address: string): Promise<string> =>
    (await mailTo(servers, address, /^\d{6} /)).mail.subject?.slice(0, 6) ?? ''

/** Answers a mail as a mail program does: to its reply address, in its thread, above the quoted text. */
export async function answerMail(
  servers: MailServers,
  { mail, from, text }: { mail: Email; from: string; text: string },
): Promise<void> {
  const [to] = mail.replyTo ?? []
  const quoted = (mail.text ?? '').trimEnd().replaceAll(/^/gm, '> ')
  const program = createTransport({ host: '127.0.0.1', port: servers.smtpPort, ignoreTLS: true })
  await program.sendMail({
    from,
    to: to?.address ?? '',
    subject: `Re: ${mail.subject ?? ''}`,
    inReplyTo: mail.messageId ?? '',
    references: [mail.references ?? '', mail.messageId ?? ''].join(' ').trim(),
    text: `${text}\n\nOn Mon, 30 Nov 2026 at 10:00, support wrote:\n${quoted}\n`,
  })
  program.close()
}
