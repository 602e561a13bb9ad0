import type { Context } from '../../platform/context.ts'
import type { MailFacts } from './templates/mail-words.ts'
import type { MailTransport } from './mail-transport.ts'

/** Seals the content of mails that wait. */
export type MailSealing = { readonly mailSecret: string }

/** The context of sending mails: transport, sender, and the facts that every mail may name. */
export type MailContext = Context &
  MailSealing & {
    readonly mail: {
      readonly transport: MailTransport
      /** Asked with each mail: staff may change the settings. */
      readonly sender: () => Promise<{ name: string; address: string }>
      readonly facts: () => Promise<MailFacts>
    }
  }
