/** The place of a mail: no other one ever has it (RFC 9051 2.3.1.1). */
export type MailPlace = { readonly mailbox: string; readonly uidValidity: bigint; readonly uid: number }

/** A mail that waits in the mailbox. */
export type InboxMail = MailPlace & {
  /** The size of the whole mail, in bytes. */
  readonly size: number
  /** When the mailbox got it, in epoch milliseconds. */
  readonly arrivedAtMs: number
  /** The whole mail; only its headers if it is larger than asked for. */
  readonly source: Uint8Array
}

/** The place of a mail whose bytes are fetched only if somebody wants them. */
export type WaitingMail = MailPlace & {
  /** Throws InboxFailure when the mail server does not give it: also EMPTY, without bytes, for one that somebody else removed meanwhile. */
  readonly fetch: () => Promise<InboxMail>
}

/** The fate of a mail after it was looked at: it leaves the mailbox, or stays for another run. */
export type AfterLook = 'remove' | 'keep'

/** A mailbox that belongs to this installation alone. */
export interface MailInbox {
  /**
   * Shows every waiting mail, oldest first, one at a time, and removes those that `look` is done with. Throws InboxFailure when the
   * mailbox cannot be reached, and what `look` throws; what was removed until then stays removed, everything else is shown again by the
   * next run.
   */
  visit(look: (mail: WaitingMail) => Promise<AfterLook>): Promise<void>
}

/**
 * The mailbox, or one mail of it, cannot be read. `code` is short and contains no text of the peer. With `isLost` the connection is gone;
 * without it the other mails can be asked for.
 */
export class InboxFailure extends Error {
  override name = 'InboxFailure'
  readonly code: string
  readonly isLost: boolean

  constructor(code: string, { isLost = true, ...options }: { cause?: unknown; isLost?: boolean } = {}) {
    super(`the mailbox cannot be read: ${code}`, options)
    this.code = code
    this.isLost = isLost
  }
}
