/** The part of a debt that a wallet's free money pays, in forints: all of it, up to the debt. */
export const debtPaidBy = (debtFt: bigint, freeFt: bigint): bigint => {
  if (debtFt <= 0n || freeFt <= 0n) return 0n
  return debtFt < freeFt ? debtFt : freeFt
}
