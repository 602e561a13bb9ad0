import * as z from 'zod'
import { Locale } from '../locale.ts'
import { AmountFt, Id, Instant } from '../primitives.ts'

/**
 * Where a mail may go: one plain address. No quotes, spaces, comments, lists, line ends or letters beyond ASCII, so that what
 * is written into the message and what the mail server is told cannot mean two recipients.
 */
export const MailAddress = z.string().max(254).pipe(z.email())

/** One line of text from outside: no control characters, line ends or marks that turn the direction of writing. */
const Line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u)

/** A page of the site with its query. The sender puts the site's own address before it: no request names a host. */
const PagePath = z
  .string()
  .max(500)
  .regex(/^\/(?!\/)[\w/?=&.%-]*$/)

const Minutes = z.int().min(1).max(100_000)

const kind = <Kind extends string, Shape extends z.ZodRawShape>(name: Kind, params: Shape) =>
  z.strictObject({ kind: z.literal(name), params: z.strictObject(params) })

/** Whether the page of a new password to which the mail leads also takes new second factors away; a mail that waited knows of none. */
const TakesFactorsAway = z.boolean().default(false)

/** What a person is told of when it changes: each lets somebody in, or keeps somebody out. */
export const SecurityChange = z.enum([
  'password',
  'app-on',
  'app-off',
  'passkey-added',
  'passkey-removed',
  'recovery-codes',
])
export type SecurityChange = z.infer<typeof SecurityChange>

/** Every mail there is. What is not in the list cannot be sent, and no mail has parts that its row does not name. */
export const MailContent = z.discriminatedUnion('kind', [
  /** The code that proves an e-mail address. */
  kind('verify', { username: Line(32), code: z.string().regex(/^[0-9]{6}$/), minutes: Minutes }),
  /** The link with which a forgotten password is replaced. */
  kind('reset', { username: Line(32), path: PagePath, minutes: Minutes }),
  /** To the new address of an account: the link that proves it. */
  kind('email-change', { username: Line(32), newEmail: MailAddress, path: PagePath, minutes: Minutes }),
  /** To the old address: what is about to happen, and the link that takes it back. */
  kind('email-change-notice', { username: Line(32), newEmail: MailAddress, path: PagePath, minutes: Minutes }),
  /** Somebody signed in on a device that this account never used. */
  kind('new-device', {
    username: Line(32),
    device: Line(300),
    address: Line(64),
    at: Instant,
    path: PagePath,
    /** Where the address is; empty where it is not known. */
    place: z.union([z.literal(''), Line(200)]).default(''),
    takesFactorsAway: TakesFactorsAway,
  }),
  /** Somebody who does not own an address entered it for a new account. `username` is the owner's. */
  kind('register-attempt', { username: Line(32), path: PagePath }),
  /** What opens the account is not what it was. */
  kind('security-change', {
    username: Line(32),
    change: SecurityChange,
    address: Line(64),
    at: Instant,
    path: PagePath,
    takesFactorsAway: TakesFactorsAway,
  }),
  /** A token of a session was used by two: the session was ended. */
  kind('session-copied', {
    username: Line(32),
    address: Line(64),
    at: Instant,
    path: PagePath,
    takesFactorsAway: TakesFactorsAway,
  }),
  /** The account is being deleted: when its data goes, and the link that takes it back. */
  kind('account-deletion', { username: Line(32), at: Instant, path: PagePath }),
  /** Somebody took everything that is held of the person. */
  kind('data-export', { username: Line(32), address: Line(64), at: Instant, path: PagePath }),
  kind('invoice', { number: Line(64), amountFt: AmountFt, at: Instant, path: PagePath }),
  /** An invoice was taken back; `of` is its number, and the amount is what is given back. */
  kind('storno', { number: Line(64), of: Line(64), amountFt: AmountFt, at: Instant, path: PagePath }),
  /** A part of an invoice was taken back; `of` is its number, and the amount is what is given back. */
  kind('correction', { number: Line(64), of: Line(64), amountFt: AmountFt, at: Instant, path: PagePath }),
  /** A server whose paid time ends soon. */
  kind('expiry', { server: Line(100), at: Instant, path: PagePath }),
  /** The receipt of a withdrawal: what was declared, when, and what comes back. `server` is empty for a premium tier. */
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
  kind('ticket-reply', { title: Line(200), path: PagePath }),
  // Notifications that the person also wants by mail. A push says the same, in fewer words.
  kind('server.installed', { server: Line(100), product: Line(200), path: PagePath }),
  kind('purchase.success', { server: Line(100), product: Line(200), amountFt: AmountFt, path: PagePath }),
  /** A test server is kept by buying it; of a paid one nothing is said, so that a program of the release before knows the mail. */
  kind('server.expired', { server: Line(100), isTest: z.literal(true).optional(), path: PagePath }),
  kind('topup.failed', { amountFt: AmountFt, path: PagePath }),
  kind('topup.successful', { amountFt: AmountFt, path: PagePath }),
  kind('premium.expired', { tier: Line(40), path: PagePath }),
  /** Money went back to where it came from; what of it was spent already is a debt. */
  kind('refund.sent', { amountFt: AmountFt, debtFt: AmountFt, path: PagePath }),
  /** A refund did not arrive, or the bank sent it back: it is on the balance. */
  kind('refund.failed', { amountFt: AmountFt, path: PagePath }),
  /** A larger size that was paid for was not taken by the node: what it cost is on the balance again. */
  kind('refund.size', { server: Line(100), amountFt: AmountFt, path: PagePath }),
  /** A bank took money of a payment back. */
  kind('payment.taken-back', { amountFt: AmountFt, debtFt: AmountFt, path: PagePath }),
])
export type MailContent = z.infer<typeof MailContent>
export type MailKind = MailContent['kind']
export type MailParams<Kind extends MailKind> = Extract<MailContent, { kind: Kind }>['params']

/** A mail that a part of the system wants to be sent. The id names it for ever: the same id twice is one mail. */
export const MailOrder = z.strictObject({
  id: Id,
  to: MailAddress,
  language: Locale,
  /** After this moment the mail is worth nothing and is given up. */
  expiresAt: Instant,
  content: MailContent,
})
export type MailOrder = z.infer<typeof MailOrder>
