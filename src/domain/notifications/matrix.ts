/**
 * The notifications of which a person chooses whether they also come by mail and as a push (specification section 3), and what takes
 * or gives money without the person doing anything. Another row
 * needs a default below, and a mail of its name; a page that lists them finds it here.
 */
export const MATRIX_KEYS = [
  'server.installed',
  'purchase.success',
  'server.expired',
  'topup.failed',
  'topup.successful',
  'premium.expired',
  'refund.sent',
  'refund.failed',
  'refund.size',
  'payment.taken-back',
] as const
export type MatrixKey = (typeof MATRIX_KEYS)[number]

export const isMatrixKey = (text: string): text is MatrixKey => (MATRIX_KEYS as readonly string[]).includes(text)

/** The ways beside the bell, which shows everything. */
export type Channels = { readonly mail: boolean; readonly push: boolean }

/** What a person has said; null where nothing was said yet. */
export type Chosen = { readonly mail: boolean | null; readonly push: boolean | null }

/**
 * Money that moved and a server that ended are worth a mail: whoever is not at the page must learn of them, and a mail can be
 * kept. That a server is installed is awaited on the screen.
 */
const MAIL_BY_DEFAULT: Readonly<Record<MatrixKey, boolean>> = {
  'server.installed': false,
  'purchase.success': true,
  'server.expired': true,
  'topup.failed': true,
  'topup.successful': true,
  'premium.expired': true,
  'refund.sent': true,
  'refund.failed': true,
  'refund.size': true,
  'payment.taken-back': true,
}

/**
 * The ways that a notification takes beside the bell: what the person said, else the defaults. Pushes are off until a browser
 * subscribed (`hasBrowser`); whoever subscribed one asked for them, so all are on then until one is switched off.
 */
export const channelsOf = (
  key: MatrixKey,
  { chosen, hasBrowser }: { chosen: Chosen | undefined; hasBrowser: boolean },
): Channels => ({
  mail: chosen?.mail ?? MAIL_BY_DEFAULT[key],
  push: hasBrowser && (chosen?.push ?? true),
})
