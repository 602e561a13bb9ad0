/** What of a debt the free money of a wallet pays, in forints: all that is there, and no more than is owed. */
export const debtPaidBy = (debtFt: bigint, freeFt: bigint): bigint => {
  if (debtFt <= 0n || freeFt <= 0n) return 0n
  return debtFt < freeFt ? debtFt : freeFt
}
