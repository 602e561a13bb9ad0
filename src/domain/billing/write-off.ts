/** A debt that a customer came into: of a payment that was taken back, or of a correction by staff. */
export type CausedDebt = {
  readonly id: string
  /** What of it was not given up before, in whole forints; how much was paid is not known of one debt alone. */
  readonly openFt: bigint
}

/** What of a debt is given up. */
export type WrittenOff = { readonly id: string; readonly partFt: bigint }

/**
 * Says which debts a write-off of all that is owed falls on, in whole forints: `debts` oldest first, of every cause. What customers
 * pay ends the oldest first, so what is still owed belongs to the youngest. Debts that nothing falls on are left out.
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
