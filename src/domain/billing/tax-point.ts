/**
 * When tax falls due on prepaid money. Whether a balance is a voucher for one purpose (tax when it is filled) or for several (tax when
 * it is spent) is the accountant's answer, so it is a setting of the installation.
 */
export const TAX_POINTS = ['at_topup', 'at_spend'] as const
export type TaxPoint = (typeof TAX_POINTS)[number]

/** What moves money and may ask for a document. */
export const DOCUMENT_CAUSES = ['top-up', 'order', 'renewal', 'modification', 'premium', 'spin'] as const
export type DocumentCause = (typeof DOCUMENT_CAUSES)[number]

/**
 * Whether a movement gets an invoice. Exactly one of top-up and spending does, so that nothing is taxed twice and nothing never.
 * What costs nothing gets none.
 */
export function needsInvoice(movement: {
  readonly cause: DocumentCause
  readonly taxPoint: TaxPoint
  readonly grossFt: bigint
}): boolean {
  if (movement.grossFt <= 0n) return false
  return (movement.cause === 'top-up') === (movement.taxPoint === 'at_topup')
}
