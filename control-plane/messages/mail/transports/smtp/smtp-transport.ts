import { createTransport } from 'nodemailer'
import type { MailTransport } from '../../mail-transport.ts'
import { MailFailure } from '../../mail-transport.ts'
import { messageOptions } from '../../message-options.ts'
import type { DkimKey } from '../../mail-variables.ts'
import type { SmtpSettings } from '../../smtp-settings.ts'
import { smtpFailure } from './smtp-failure.ts'

/** The time-out of each step in milliseconds; `totalMs` limits them together. */
export type SmtpTimeouts = { connectMs: number; greetingMs: number; silenceMs: number; totalMs: number }

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 30_000, totalMs: 60_000 }

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

// A mail server on this machine without a password needs no encryption; every other requires TLS.
const encryptionOf = ({ host, port, username }: SmtpSettings) => {
  if (port === 465) return { secure: true }
  const isPlain = username === undefined && LOOPBACK.includes(host)
  return isPlain ? { secure: false, ignoreTLS: true } : { secure: false, requireTLS: true }
}

const signedBy = (dkim: DkimKey | undefined, from: string) =>
  dkim && {
    dkim: {
      domainName: from.split('@').at(-1) ?? '',
      keySelector: dkim.selector,
      privateKey: dkim.privateKey,
    },
  }

/** Sends mails through a mail server. It reads the settings for each mail, because staff may change them. */
export function smtpTransport({
  settings,
  timeouts = TIMEOUTS,
  ca,
  dkim,
}: {
  settings: () => Promise<SmtpSettings | undefined>
  timeouts?: SmtpTimeouts
  /** Certificates to trust besides the system's, in PEM format. */
  ca?: string
  /** Signs every mail for the domain of its sender. */
  dkim?: DkimKey | undefined
}): MailTransport {
  return {
    name: 'smtp',
    send: async (mail) => {
      const found = await settings()
      if (!found) throw new MailFailure('configuration', 'SMTP_NOT_SET')
      const { host, port, username, password } = found
      const transport = createTransport({
        host,
        port,
        ...encryptionOf(found),
        ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
        ...(ca === undefined ? {} : { tls: { ca } }),
        connectionTimeout: timeouts.connectMs,
        greetingTimeout: timeouts.greetingMs,
        socketTimeout: timeouts.silenceMs,
        disableFileAccess: true,
        disableUrlAccess: true,
        maxRecipients: 1,
        ...signedBy(dkim, mail.from.address),
      })
      try {
        await transport.sendMail({ ...messageOptions(mail), signal: AbortSignal.timeout(timeouts.totalMs) })
      } catch (error) {
        throw smtpFailure(error)
      } finally {
        transport.close()
      }
    },
  }
}
