/**
 * The notifications with a choice of mail and push (specification section 3), and those about money that moves,
 * servers that stop, fill their storage or are shared, without the person's action, and tickets. A new row needs a default below, and a mail of its name; pages list the rows from here.
 */
export const MATRIX_KEYS = [
  'server.installed',
  'purchase.success',
  'server.expired',
  'server.crashed',
  'server.storage-filling',
  'server.invited',
  'renewal.missing',
  'topup.failed',
  'topup.successful',
  'premium.expired',
  'refund.sent',
  'refund.failed',
  'refund.size',
  'server.package-changed',
  'payment.taken-back',
  'ticket.reply',
  'ticket.added',
  'ticket.closed',
  'ticket.assigned',
  'ticket.opened',
] as const
export type MatrixKey = (typeof MATRIX_KEYS)[number]

const STAFF_KEYS: ReadonlySet<MatrixKey> = new Set(['ticket.assigned', 'ticket.opened'])

/** The notifications that a person can get, and so chooses among: only staff get those about tickets that they work on. */
export const matrixKeysOf = ({ isStaff }: { isStaff: boolean }): readonly MatrixKey[] =>
  MATRIX_KEYS.filter((key) => isStaff || !STAFF_KEYS.has(key))

export const isMatrixKey = (text: string): text is MatrixKey => (MATRIX_KEYS as readonly string[]).includes(text)

/** The channels besides the bell, which shows everything. */
export type Channels = { readonly mail: boolean; readonly push: boolean }

/** A person's choice; null before the first one. */
export type Chosen = { readonly mail: boolean | null; readonly push: boolean | null }

/**
 * Movements of money and servers that ended, crashed, fill their storage or could not be renewed, invitations, and tickets, which wait for somebody, are worth a mail: people away from the page must learn about them, and a mail
 * can be kept. An installation is awaited on the screen, and staff see new tickets in their queue.
 */
const MAIL_BY_DEFAULT: Readonly<Record<MatrixKey, boolean>> = {
  'server.installed': false,
  'purchase.success': true,
  'server.expired': true,
  'server.crashed': true,
  'server.storage-filling': true,
  'server.invited': true,
  'renewal.missing': true,
  'topup.failed': true,
  'topup.successful': true,
  'premium.expired': true,
  'refund.sent': true,
  'refund.failed': true,
  'refund.size': true,
  'server.package-changed': true,
  'payment.taken-back': true,
  'ticket.reply': true,
  'ticket.added': true,
  'ticket.closed': true,
  'ticket.assigned': true,
  'ticket.opened': false,
}

/**
 * The channels of a notification besides the bell: the person's choice, else the defaults. Pushes are off until a
 * browser is subscribed (`hasBrowser`); the subscription itself is a request for them, so all are on then until one is
 * switched off.
 */
export const channelsOf = (
  key: MatrixKey,
  { chosen, hasBrowser }: { chosen: Chosen | undefined; hasBrowser: boolean },
): Channels => ({
  mail: chosen?.mail ?? MAIL_BY_DEFAULT[key],
  push: hasBrowser && (chosen?.push ?? true),
})
