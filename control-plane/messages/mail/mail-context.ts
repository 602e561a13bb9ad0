import type { Context } from '../../platform/context.ts'
import type { MailAddresses } from '../inbox/mail-addresses.ts'
import type { MailFacts } from './templates/mail-words.ts'
import type { MailTransport } from './mail-transport.ts'

/** Seals the content of queued mails. */
export type MailSealing = { readonly mailSecret: string }

/** The context of sending mails: transport, sender, and facts for every mail. */
export type MailContext = Context &
  MailSealing & {
    readonly mail: {
      readonly transport: MailTransport
      /** Read for each mail, because staff may change the settings. */
      readonly sender: () => Promise<{ name: string; address: string }>
      readonly facts: () => Promise<MailFacts>
      /** The addresses by which mails come back; undefined without a mailbox. */
      readonly addresses?: MailAddresses | undefined
    }
  }
