import { folderTransport } from './folder/folder-transport.ts'
import type { MailTransport } from '../mail-transport.ts'
import { smtpTransport } from './smtp/smtp-transport.ts'
import type { DkimKey } from '../mail-variables.ts'
import type { SmtpSettings } from '../smtp-settings.ts'

/** The transport of this installation: a folder if one is configured, as in the demo, else a mail server. */
export const mailTransport = (options: {
  folder: string | undefined
  smtp: () => Promise<SmtpSettings | undefined>
  dkim: DkimKey | undefined
}): MailTransport =>
  options.folder === undefined
    ? smtpTransport({ settings: options.smtp, dkim: options.dkim })
    : folderTransport(options.folder)
