import * as z from 'zod'
import { CRASH_LINE_LENGTH, CRASH_LINES } from '../agent/session.ts'
import { NOTIFICATION_KEYS } from '../http/notification.ts'
import { Locale } from '../locale.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { ANSWERED_MAILS } from '#domain/tickets/mail-decision.ts'
import { FurtherPurchase } from '../http/notification.ts'
import { AmountFt, Id, Identifier, Instant } from '../primitives.ts'

/**
 * A mail recipient: one plain address. No quotes, spaces, comments, lists, line ends or letters beyond ASCII, so that
 * message header and mail server cannot interpret it as two recipients.
 */
export const MailAddress = z.string().max(254).pipe(z.email())

/** One line of text from outside: no control characters, line ends or marks that change the writing direction. */
const Line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u)

/** A line that is redacted may have become longer by the marks. */
const MAIL_LINE_LENGTH = 2 * CRASH_LINE_LENGTH

/** A page of the site with its query. The sender adds the site's own address: no request can name a host. */
const PagePath = z
  .string()
  .max(500)
  .regex(/^\/(?!\/)[\w/?=&.%-]*$/)

/** A reply of staff. `files` are those that stand beside it in the ticket, with their sizes in bytes; absent without any. */
const TicketReplyLine = z.strictObject({
  person: Line(32),
  text: z.string().min(1).max(20_000),
  files: z
    .array(z.strictObject({ name: Line(ATTACHMENT_BOUNDS.name), size: z.int().min(0) }))
    .min(1)
    .max(ATTACHMENT_BOUNDS.perMessage)
    .optional(),
})

/** A Message-ID (RFC 5322) that can stand in a header. */
export const MessageId = z.string().regex(/^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/)

const Minutes = z.int().min(1).max(100_000)

const kind = <Kind extends string, Shape extends z.ZodRawShape>(name: Kind, params: Shape) =>
  z.strictObject({ kind: z.literal(name), params: z.strictObject(params) })

/** Whether the linked password page also removes new second factors; older queued mails omit it. */
const TakesFactorsAway = z.boolean().default(false)

/** The document is a receipt; for an invoice the field is absent, so that a program of the previous release accepts the mail. */
const IsReceipt = z.literal(true).optional()

/** Changes that a person is notified about: each lets somebody in, or keeps somebody out. */
export const SecurityChange = z.enum([
  'password',
  'app-on',
  'app-off',
  'passkey-added',
  'passkey-removed',
  'recovery-codes',
  'ssh-key-added',
  'app-password-added',
])
export type SecurityChange = z.infer<typeof SecurityChange>

/** Every kind of mail. Other mails cannot be sent, and no mail has fields that its row does not name. */
export const MailContent = z.discriminatedUnion('kind', [
  /** The code that proves an e-mail address. */
  kind('verify', { username: Line(32), code: z.string().regex(/^[0-9]{6}$/), minutes: Minutes }),
  /** The link that replaces a forgotten password. */
  kind('reset', { username: Line(32), path: PagePath, minutes: Minutes }),
  /** To the new address of an account: the link that verifies it. */
  kind('email-change', { username: Line(32), newEmail: MailAddress, path: PagePath, minutes: Minutes }),
  /** To the old address: the coming change, and the link that undoes it. */
  kind('email-change-notice', { username: Line(32), newEmail: MailAddress, path: PagePath, minutes: Minutes }),
  /** A sign-in on a device that this account never used. */
  kind('new-device', {
    username: Line(32),
    device: Line(300),
    address: Line(64),
    at: Instant,
    path: PagePath,
    /** The place of the address; empty if unknown. */
    place: z.union([z.literal(''), Line(200)]).default(''),
    takesFactorsAway: TakesFactorsAway,
  }),
  /** Somebody entered another person's address for a new account. `username` is the owner's. */
  kind('register-attempt', { username: Line(32), path: PagePath }),
  /** The account's credentials have changed. */
  kind('security-change', {
    username: Line(32),
    change: SecurityChange,
    address: Line(64),
    at: Instant,
    path: PagePath,
    takesFactorsAway: TakesFactorsAway,
  }),
  /** A session's token was used twice: the session was ended. */
  kind('session-copied', {
    username: Line(32),
    address: Line(64),
    at: Instant,
    path: PagePath,
    takesFactorsAway: TakesFactorsAway,
  }),
  /** Somebody who knows the password guesses at the codes of the second factor. */
  kind('code-guesses', {
    username: Line(32),
    address: Line(64),
    at: Instant,
    path: PagePath,
    takesFactorsAway: TakesFactorsAway,
  }),
  /** The account is being deleted: when its data are erased, and the link that cancels it. */
  kind('account-deletion', { username: Line(32), at: Instant, path: PagePath }),
  /** Somebody exported all data of the person. */
  kind('data-export', { username: Line(32), address: Line(64), at: Instant, path: PagePath }),
  kind('invoice', { number: Line(64), amountFt: AmountFt, at: Instant, path: PagePath, isReceipt: IsReceipt }),
  /** An invoice was cancelled; `of` is its number, and the amount is refunded. */
  kind('storno', {
    number: Line(64),
    of: Line(64),
    amountFt: AmountFt,
    at: Instant,
    path: PagePath,
    isReceipt: IsReceipt,
  }),
  /** A part of an invoice was cancelled; `of` is its number, and the amount is refunded. */
  kind('correction', {
    number: Line(64),
    of: Line(64),
    amountFt: AmountFt,
    at: Instant,
    path: PagePath,
    isReceipt: IsReceipt,
  }),
  /** A server whose paid time ends soon. */
  kind('expiry', { server: Line(100), at: Instant, path: PagePath }),
  /** The receipt of a withdrawal: its content, time, and refund. `server` is empty for a premium tier. */
  kind('withdrawal', {
    contract: z.enum(['order', 'renewal', 'premium']),
    number: Id,
    product: Line(200),
    server: z.union([z.literal(''), Line(100)]),
    at: Instant,
    concludedAt: Instant,
    endsAt: Instant,
    backFt: AmountFt,
    keptFt: AmountFt,
    path: PagePath,
  }),
  /** To whoever sent a mail that became no message of a ticket. */
  kind('mail-answer', { why: z.enum(ANSWERED_MAILS), path: PagePath }),
  // Notifications that the person also wants by mail. A push says the same, in fewer words.
  kind('server.installed', { server: Line(100), product: Line(200), path: PagePath }),
  /** For an order `purchase` is absent, so that a program of the previous release accepts the mail. */
  kind('purchase.success', {
    server: Line(100),
    product: Line(200),
    amountFt: AmountFt,
    purchase: FurtherPurchase.optional(),
    path: PagePath,
  }),
  /**
   * A test server is kept by converting it; for a paid one the field is absent, so that a program of the previous
   * release accepts the mail.
   */
  kind('server.expired', { server: Line(100), isTest: z.literal(true).optional(), path: PagePath }),
  /**
   * A server that crashed repeatedly: `again` for one that crashed for the second time in an hour, absent for one that stays
   * stopped. `error` is the known error that its last lines name, and `lines` are these, redacted.
   */
  kind('server.crashed', {
    server: Line(100),
    path: PagePath,
    again: z.literal(true).optional(),
    error: Line(40).optional(),
    staffError: z.object({ hu: Line(200), en: Line(200), de: Line(200) }).optional(),
    lines: z.array(Line(MAIL_LINE_LENGTH)).max(CRASH_LINES).optional(),
  }),
  /** A server whose storage will be full in less than a day. */
  kind('server.storage-filling', { server: Line(100), path: PagePath }),
  /** Somebody wants to share a server with the person. */
  kind('server.invited', { server: Line(100), person: Line(32), path: PagePath }),
  /** The automatic renewal that could not be paid; the amount is what the balance lacks. */
  kind('renewal.missing', { server: Line(100), amountFt: AmountFt, path: PagePath }),
  kind('topup.failed', { amountFt: AmountFt, path: PagePath }),
  kind('topup.successful', { amountFt: AmountFt, path: PagePath }),
  kind('premium.expired', { tier: Line(40), path: PagePath }),
  /**
   * Staff answered in a ticket of the person. The replies are as they were written. `thread` is where the person's answer goes, with the
   * Message-ID of their own last mail. A push has neither.
   */
  kind('ticket.reply', {
    title: Line(200),
    person: Line(32),
    replies: z.array(TicketReplyLine).max(10),
    /** How many more there are, before these; absent if none. */
    earlier: z.int().min(1).optional(),
    /** A closed ticket takes no answer. */
    isClosed: z.literal(true).optional(),
    /** Its opener can rate it; absent for everybody else. */
    rates: z.literal(true).optional(),
    /** The person was added to the ticket: they neither reopen nor rate it. Absent for its opener. */
    isAdded: z.literal(true).optional(),
    thread: z
      .strictObject({ ticketId: Id, userId: Id, identifier: Identifier, answerTo: MessageId.optional() })
      .optional(),
    path: PagePath,
  }),
  /** Staff let the person read and write in a ticket. */
  kind('ticket.added', { title: Line(200), person: Line(32), path: PagePath }),
  /** Staff closed a ticket. Its opener can reopen it, and rate it once; for everybody else both are absent. */
  kind('ticket.closed', {
    title: Line(200),
    person: Line(32),
    rates: z.literal(true).optional(),
    reopens: z.literal(true).optional(),
    path: PagePath,
  }),
  /** To staff: a colleague gave them a ticket. */
  kind('ticket.assigned', { title: Line(200), person: Line(32), path: PagePath }),
  /** To staff: a new ticket, with the username of its customer, or several. */
  kind('ticket.opened', { title: Line(200), person: Line(32), count: z.int().min(2).optional(), path: PagePath }),
  /** Money was refunded to its source; the part already spent is a debt. */
  kind('refund.sent', { amountFt: AmountFt, debtFt: AmountFt, path: PagePath }),
  /** A refund did not arrive, or the bank sent it back: it is on the balance. */
  kind('refund.failed', { amountFt: AmountFt, path: PagePath }),
  /** The node rejected a paid upgrade: its price is back on the balance. */
  kind('refund.size', { server: Line(100), amountFt: AmountFt, path: PagePath }),
  /** The planned package has replaced the previous one; the amount is its monthly price. */
  kind('server.package-changed', { server: Line(100), amountFt: AmountFt, path: PagePath }),
  /** A bank charged a payment back. */
  kind('payment.taken-back', { amountFt: AmountFt, debtFt: AmountFt, path: PagePath }),
])
export type MailContent = z.infer<typeof MailContent>
export type MailKind = MailContent['kind']
export type MailParams<Kind extends MailKind> = Extract<MailContent, { kind: Kind }>['params']

/** A mail to be sent. The id identifies it for ever: the same id twice is one mail. */
export const MailOrder = z.strictObject({
  id: Id,
  to: MailAddress,
  language: Locale,
  /** After this time the mail is obsolete and is dropped. */
  expiresAt: Instant,
  content: MailContent,
  /** The bell of this person shows it too. */
  bell: z.strictObject({ userId: Id, text: z.enum(NOTIFICATION_KEYS) }).optional(),
})
export type MailOrder = z.infer<typeof MailOrder>
