import * as z from 'zod'
import { MATRIX_KEYS } from '#domain/notifications/matrix.ts'

const Channels = z.strictObject({ mail: z.boolean(), push: z.boolean() })

type Row = (typeof MATRIX_KEYS)[number]
const rows = Object.fromEntries(MATRIX_KEYS.map((key) => [key, Channels])) as Record<Row, typeof Channels>
/** Rows unknown to a program of the previous release: its changes leave them at their default. */
const added = Channels.default({ mail: true, push: true })

/** The notifications that are also sent by mail and push. The bell always shows all of them. */
export const NotificationMatrix = z.object({
  ...rows,
  // A program of the previous release does not send it.
  'premium.expired': Channels.default({ mail: true, push: false }),
  'server.crashed': added,
  'server.storage-filling': added,
  'server.invited': added,
  'renewal.missing': added,
  'refund.sent': added,
  'refund.failed': added,
  'refund.size': added,
  'server.package-changed': added,
  'payment.taken-back': added,
  'ticket.reply': added,
  'ticket.added': added,
  'ticket.closed': added,
  'ticket.assigned': added,
  'ticket.opened': Channels.default({ mail: false, push: true }),
})
export type NotificationMatrix = z.infer<typeof NotificationMatrix>

export const NotificationSettings = z.object({
  matrix: NotificationMatrix,
  push: z.object({
    /** The browser's subscription key (RFC 8292): an uncompressed point of P-256, base64url. */
    publicKey: z.string(),
    /** Whether the browser of this session is subscribed. */
    isHere: z.boolean(),
    /** The number of subscribed browsers of this account. */
    browsers: z.int().min(0),
  }),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

/**
 * The whole matrix. Push choices stay unchanged while no browser is subscribed, because the page does not offer them.
 */
export const NotificationSettingsChange = z.strictObject({ matrix: NotificationMatrix })

const isIpAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
const isLocalName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid)$/.test(name)
}

/**
 * The address of a push service: https at its default port, under a public host name. The host's addresses are checked
 * again for each message, because names change.
 */
export const PushEndpoint = z
  .string()
  .max(2_000)
  .refine((text) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password, port, hostname, hash } = new URL(text)
    const isPlain = protocol === 'https:' && port === '' && username === '' && password === '' && hash === ''
    return isPlain && !isIpAddress(hostname) && !isLocalName(hostname)
  })
  .transform((text) => new URL(text).href)

/** A browser's push subscription (RFC 8291): an uncompressed point of P-256, and 16 bytes. */
export const PushSubscribe = z.strictObject({
  endpoint: PushEndpoint,
  keys: z.strictObject({
    p256dh: z.string().regex(/^B[\w-]{86}$/),
    auth: z.string().regex(/^[\w-]{22}$/),
  }),
})
export type PushSubscribe = z.infer<typeof PushSubscribe>
