import { imapInbox } from './imap/imap-inbox.ts'
import type { ImapSettings } from './imap-settings.ts'
import type { MailInbox } from './mail-inbox.ts'

/** The mailbox of this installation. Without settings there is none, and nobody is asked to reply by mail. */
export const mailInbox = (settings: ImapSettings | undefined, options: { maxBytes: number }): MailInbox | undefined =>
  settings && imapInbox(settings, options)
