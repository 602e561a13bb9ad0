/**
 * The tax point of prepaid money. The accountant decides whether a balance is a single-purpose voucher (taxed when
 * topped up) or a multi-purpose one (taxed when spent), so it is a setting of the installation.
 */
export const TAX_POINTS = ['at_topup', 'at_spend'] as const
export type TaxPoint = (typeof TAX_POINTS)[number]

/** Movements that may need a document. */
export const DOCUMENT_CAUSES = ['top-up', 'order', 'renewal', 'modification', 'premium', 'spin'] as const
export type DocumentCause = (typeof DOCUMENT_CAUSES)[number]

/**
 * Whether a movement gets an invoice. Exactly one of top-up and spending does, so that everything is taxed exactly
 * once. A free order gets none.
 */
export function needsInvoice(movement: {
  readonly cause: DocumentCause
  readonly taxPoint: TaxPoint
  readonly grossFt: bigint
}): boolean {
  if (movement.grossFt <= 0n) return false
  return (movement.cause === 'top-up') === (movement.taxPoint === 'at_topup')
}
