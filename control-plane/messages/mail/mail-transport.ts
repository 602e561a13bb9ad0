import type { Locale } from '#contracts/locale.ts'

/** An outgoing mail: text without attachments; of people it has names, titles and what staff wrote. */
export type OutgoingMail = {
  /** The mail's id; a repetition has the same one. */
  readonly id: string
  /** `<id@host>`: lets a mailbox that receives the mail twice drop the duplicate. */
  readonly messageId: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  /** Where an answer goes; by default to `from`, where nobody reads. */
  readonly replyTo?: string | undefined
  /** The address that mail servers report to; by default `from`. */
  readonly bounceTo?: string | undefined
  /** Message-IDs of the conversation, oldest first, the one that is answered last. */
  readonly references?: readonly string[] | undefined
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly language: Locale
  /** The time of the request that caused it, in epoch milliseconds. */
  readonly createdAtMs: number
}

/**
 * `temporary`: a retry may help. `configuration`: a retry helps once the operator has changed something. `permanent`:
 * this mail to this address is refused for good.
 */
export type MailFailureKind = 'temporary' | 'configuration' | 'permanent'

/** Why a mail was not delivered. `code` is short and contains neither the address nor text of the peer. */
export class MailFailure extends Error {
  override name = 'MailFailure'
  readonly kind: MailFailureKind
  readonly code: string
  /** The enhanced status code (RFC 3463) of an address that does not exist; undefined if it may. */
  readonly noAddress: string | undefined

  constructor(kind: MailFailureKind, code: string, options: { cause?: unknown; noAddress?: string | undefined } = {}) {
    super(`mail not handed over: ${code}`, options)
    this.kind = kind
    this.code = code
    this.noAddress = options.noAddress
  }
}

/** A channel for outgoing mails. */
export interface MailTransport {
  readonly name: string
  /** Resolves once the peer has accepted the mail; throws MailFailure. Even then it may have been accepted. */
  send(mail: OutgoingMail): Promise<void>
}
