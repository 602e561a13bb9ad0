/** A customer's debt: from a reversed payment, or from a correction by staff. */
export type CausedDebt = {
  readonly id: string
  /** The part that was not written off before, in whole forints; payments are not assigned to single debts. */
  readonly openFt: bigint
}

/** The written-off part of a debt. */
export type WrittenOff = { readonly id: string; readonly partFt: bigint }

/**
 * Distributes a write-off over debts, in whole forints: `debts` oldest first, of every cause. Customers' payments
 * settle the oldest first, so the rest belongs to the newest. Debts without a share are omitted.
 */
export function spreadWriteOff(owedFt: bigint, debts: readonly CausedDebt[]): WrittenOff[] {
  const parts: WrittenOff[] = []
  let leftFt = owedFt
  for (const { id, openFt } of debts.toReversed()) {
    const partFt = openFt < leftFt ? openFt : leftFt
    if (partFt > 0n) parts.push({ id, partFt })
    leftFt -= partFt
  }
  return parts
}
