import * as z from 'zod'
import { MATRIX_KEYS } from '#domain/notifications/matrix.ts'

const Channels = z.strictObject({ mail: z.boolean(), push: z.boolean() })

type Row = (typeof MATRIX_KEYS)[number]
const rows = Object.fromEntries(MATRIX_KEYS.map((key) => [key, Channels])) as Record<Row, typeof Channels>
/** Rows that a program of the release before does not know: what it says of all others leaves these as they are by default. */
const added = Channels.default({ mail: true, push: true })

/** Which notifications also come by mail and as a push. The bell shows all of them, always. */
export const NotificationMatrix = z.object({
  ...rows,
  // A program of the release before does not name it.
  'premium.expired': Channels.default({ mail: true, push: false }),
  'refund.sent': added,
  'refund.failed': added,
  'refund.size': added,
  'payment.taken-back': added,
})
export type NotificationMatrix = z.infer<typeof NotificationMatrix>

export const NotificationSettings = z.object({
  matrix: NotificationMatrix,
  push: z.object({
    /** What a browser subscribes with (RFC 8292): an uncompressed point of P-256, base64url. */
    publicKey: z.string(),
    /** Whether the browser of this session is subscribed. */
    isHere: z.boolean(),
    /** How many browsers of this account are. */
    browsers: z.int().min(0),
  }),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** The whole matrix. Pushes are kept as they are while no browser is subscribed: there is nothing to choose yet. */
export const NotificationSettingsChange = z.strictObject({ matrix: NotificationMatrix })

const isIpAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
const isLocalName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid)$/.test(name)
}

/**
 * Where a push service takes messages: https at its own port, under a name of the public internet. What the name stands for is
 * checked again each time a message is sent, because names change.
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

/** A subscription as the browser gives it (RFC 8291): an uncompressed point of P-256, and 16 bytes. */
export const PushSubscribe = z.strictObject({
  endpoint: PushEndpoint,
  keys: z.strictObject({
    p256dh: z.string().regex(/^B[\w-]{86}$/),
    auth: z.string().regex(/^[\w-]{22}$/),
  }),
})
export type PushSubscribe = z.infer<typeof PushSubscribe>
