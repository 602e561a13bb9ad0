import * as z from 'zod'
import { ACTIVITY_WAYS } from '../activity-ways.ts'
import { LocalizedText } from '../locale.ts'
import { Id, Instant } from '../primitives.ts'

/** `text` is a key of the message catalog, under `notifications`. */
export const NOTIFICATION_KEYS = [
  'server.installed',
  'purchase.success',
  'server.expired',
  'topup.failed',
  'topup.successful',
  'refund.sent',
  'refund.failed',
  'refund.size',
  'server.package-changed',
  'payment.taken-back',
  'order.failed',
  'server.crashed',
  'server.storage-filling',
  'server.moved',
  'server.expiring',
  'server.invited',
  'server.joined',
  'server.declined',
  'server.access-ended',
  'renewal.missing',
  'premium.expired',
  'withdrawal.confirmed',
  'server.refunded',
  'balance.corrected',
  'security.codes',
  'ticket.reply',
  'ticket.customer-reply',
  'ticket.merged',
  'ticket.taken',
  'ticket.moved',
  'ticket.merged-away',
  'ticket.added',
  'ticket.closed',
  'ticket.assigned',
  'ticket.opened',
] as const

/** The purchase for a server that the customer has already. */
export const FurtherPurchase = z.enum(['renewal', 'resize'])

/** The Notification entity of specification section 3. */
export const Notification = z.object({
  id: Id,
  text: z.enum(NOTIFICATION_KEYS),
  data: z.object({
    sid: Id.optional(),
    product: z.string().optional(),
    name: z.string().optional(),
    amount: z.int().optional(),
    /** Absent for an order. */
    purchase: FurtherPurchase.optional(),
    /** The part of it that became a debt. */
    debt: z.int().positive().optional(),
    /** It is about a test server, which is kept by converting it and not by a renewal. */
    isTest: z.literal(true).optional(),
    /** The username of the person who did it. */
    person: z.string().max(32).optional(),
    /** A server crashed for the second time in an hour; absent for one that stays stopped after its crashes. */
    again: z.literal(true).optional(),
    /** The known error that the last lines before a crash name: an id of `#domain/known-errors/rules.ts`. */
    error: z.string().max(40).optional(),
    /** The title of the staff's rule that those lines match, where none of ours does. */
    staffError: LocalizedText.optional(),
    /** Remaining days. */
    days: z.int().optional(),
    /** The reason, in the words of the administrator. */
    reason: z.string().max(500).optional(),
    /** The ticket in which somebody wrote, and its title. Absent where the reader works on the ticket no more. */
    ticketId: Id.optional(),
    title: z.string().max(120).optional(),
    /** The same where the reader works on it no more: it ends the bell with its ticket, and is no link. */
    aboutTicketId: Id.optional(),
    /** The title of the ticket that was merged into it. */
    merged: z.string().max(120).optional(),
    /** The reader can rate the closed ticket. */
    rates: z.literal(true).optional(),
    /** How many new tickets it stands for; absent for one, which it names. */
    count: z.int().min(2).optional(),
    /** The notification that it stands for as well, and that is no longer there. */
    replaces: Id.optional(),
  }),
  createdAt: Instant,
  userId: Id,
  /** When the reader saw it; null while it is unread. Events of older programs omit it. */
  readAt: Instant.nullable().default(null),
})
export type Notification = z.infer<typeof Notification>

const KNOWN_KEYS: ReadonlySet<unknown> = new Set(NOTIFICATION_KEYS)
const isOfLaterRelease = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'text' in item &&
  typeof item.text === 'string' &&
  !KNOWN_KEYS.has(item.text)

/** A list of notifications as a reader takes it: those of a later release, whose words it does not have, are left out. */
export const NotificationList = z
  .array(z.unknown())
  .transform((items) => items.filter((item) => !isOfLaterRelease(item)))
  .pipe(z.array(Notification))

/** Marks everything up to this notification, the newest that the reader has seen, as read; newer ones stay unread. */
export const NotificationsRead = z.object({ upTo: Id })

/** The Activity entity of specification section 3. */
export const Activity = z.object({
  id: Id,
  ipAddress: z.string(),
  place: z.string(),
  type: z.string(),
  status: z.enum(['success', 'failure']),
  date: Instant,
  /** The server that it was done to; `name` is the current one. */
  server: z.object({ id: Id, name: z.string() }).nullable().default(null),
  way: z.enum(ACTIVITY_WAYS).nullable().default(null),
  /** The act, such as the command that was sent; empty for most types. */
  detail: z.string().default(''),
})
export type Activity = z.infer<typeof Activity>
