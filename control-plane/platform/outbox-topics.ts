import * as z from 'zod'
import { RoutedEvent } from '#contracts/gateway/events.ts'
import { Id } from '#contracts/primitives.ts'

/** The messages of control.outbox: topic -> payload. A topic without a row cannot be written or drained. */
export const OUTBOX_TOPICS = {
  /** Plan and send what the server lacks. Written with what changed it; harmless when repeated. */
  'provision-server': z.object({ serverId: Id, orderId: Id.optional() }),
  /** The agent reported the end of an installation. */
  'order-settle': z.object({ serverId: Id, outcome: z.enum(['installed', 'failed']), reason: z.string() }),
  /** Commands wait for this node. */
  'commands-waiting': z.object({ nodeId: Id }),
  /** An event for browsers. */
  'browser-event': RoutedEvent,
  /** Ask the provider for the state of this payment. */
  'payment-check': z.object({ paymentId: Id }),
  /** Hand a mail over; its content stands sealed in its row. */
  'mail-send': z.object({ mailId: Id }),
  /** Mail the customer that an invoice is ready. */
  'invoice-mail': z.object({ invoiceId: Id }),
  /** Hand an invoice over to the provider outside. */
  'invoice-hand-over': z.object({ invoiceId: Id }),
  /** Send a notification over the channels that the person chose beside the bell: written with the notification. */
  'notice-tell': z.object({ notificationId: Id }),
  /** Hand a push over to the push service of a browser. */
  'push-send': z.object({ messageId: Id }),
} as const
export type OutboxTopic = keyof typeof OUTBOX_TOPICS
export type OutboxPayload<Topic extends OutboxTopic> = z.infer<(typeof OUTBOX_TOPICS)[Topic]>
