import * as z from 'zod'
import { RoutedEvent } from '#contracts/gateway/events.ts'
import { Id } from '#contracts/primitives.ts'

/** Tokens of a node that are no longer valid. `nodeId` null goes to every node, because only the nodes know where sockets are. */
export const RevokedConsole = z.object({
  nodeId: z.uuid().nullable(),
  serverId: z.uuid().nullable(),
  userId: z.uuid().nullable(),
  sessionId: z.uuid().nullable(),
  issuedBeforeMs: z.int(),
})

/** The messages of control.outbox: topic -> payload. A topic without a row cannot be written or drained. */
export const OUTBOX_TOPICS = {
  /** Plan and send the next step of a server. Written with the change that needs it; idempotent. */
  'provision-server': z.object({ serverId: Id, orderId: Id.optional() }),
  /** The agent reported the end of an installation. */
  'order-settle': z.object({ serverId: Id, outcome: z.enum(['installed', 'failed']), reason: z.string() }),
  /** Commands are waiting for this node. */
  'commands-waiting': z.object({ nodeId: Id }),
  /** An event for browsers. */
  'browser-event': RoutedEvent,
  /** Nodes end what tokens of a changed or ended share opened. */
  'console-revoked': RevokedConsole,
  /** Look up the state of this payment at its provider. */
  'payment-check': z.object({ paymentId: Id }),
  /** Deliver a mail; its content is sealed in its row. */
  'mail-send': z.object({ mailId: Id }),
  /** Notify the customer by mail that an invoice is ready. */
  'invoice-mail': z.object({ invoiceId: Id }),
  /** Send an invoice to the external provider. */
  'invoice-hand-over': z.object({ invoiceId: Id }),
  /** Send a notification through the person's chosen channels besides the bell: written with the notification. */
  'notice-tell': z.object({ notificationId: Id }),
  /** Send a push to the push service of a browser. */
  'push-send': z.object({ messageId: Id }),
} as const
export type OutboxTopic = keyof typeof OUTBOX_TOPICS
export type OutboxPayload<Topic extends OutboxTopic> = z.infer<(typeof OUTBOX_TOPICS)[Topic]>

/**
 * Topics that become events at once instead of tasks. Each says the state of something, so a newer one must never arrive before an
 * older one.
 */
export const EVENT_TOPICS = ['browser-event', 'commands-waiting', 'console-revoked'] as const satisfies OutboxTopic[]
export type EventTopic = (typeof EVENT_TOPICS)[number]
