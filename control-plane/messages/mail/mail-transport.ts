import type { Locale } from '#contracts/locale.ts'

/** A mail as it leaves: everything is text of our own, and there is nothing else to it. */
export type OutgoingMail = {
  /** The mail's id; a repetition has the same. */
  readonly id: string
  /** `<id@host>`: a mailbox that gets the mail twice can tell by it. */
  readonly messageId: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly language: Locale
  /** The time of the request for it, in epoch milliseconds. */
  readonly createdAtMs: number
}

/**
 * `temporary`: trying again may help. `configuration`: trying again helps once the operator has changed something.
 * `permanent`: this mail to this address is refused for good.
 */
export type MailFailureKind = 'temporary' | 'configuration' | 'permanent'

/** Why a mail was not handed over. `code` is short and holds neither the address nor what the other side wrote. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly kind: MailFailureKind
  readonly code: string

  constructor(kind: MailFailureKind, code: string, options: { cause?: unknown } = {}) {
    super(`mail not handed over: ${code}`, options)
    this.kind = kind
    this.code = code
  }
}

/** Where mails go. */
export interface MailTransport {
  readonly name: string
  /** Resolves once the other side has taken the mail; throws MailFailure. It may have taken it all the same. */
  send(mail: OutgoingMail): Promise<void>
}
