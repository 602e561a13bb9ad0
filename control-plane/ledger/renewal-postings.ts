import type { Money } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { houseAccount } from './chart-of-accounts.ts'
import type { Origin } from './postings.ts'
import type { CaptureRequest, Entry, HoldRequest } from './transfer.ts'

export type RenewalMoney = {
  readonly renewalId: string
  /** Names server and period, so that a period cannot be charged twice. */
  readonly key: string
  readonly userId: string
  readonly total: Money
  readonly reason: string
}

/** A renewal is captured in the transaction that holds it; nobody waits for this time. */
const HOLD_MS = 60_000

/** Sets the price of a renewal aside, bonus first. */
export function renewalHeld(origin: Origin, renewal: RenewalMoney): HoldRequest {
  return {
    ...origin,
    key: `${renewal.key}:hold`,
    userId: renewal.userId,
    amount: renewal.total,
    expiresAtMs: origin.atMs + HOLD_MS,
    reason: renewal.reason,
    ref: { type: 'renewal', id: renewal.renewalId },
  }
}

/** The held price becomes revenue and tax. The tax is split once and the parts add up to the price. */
export function renewalCaptured(origin: Origin, renewal: RenewalMoney & { holdId: string }): CaptureRequest {
  const { net, vat } = splitVat(renewal.total)
  const credits: Entry[] = [
    { account: houseAccount('revenue'), amount: net },
    { account: houseAccount('vat_payable'), amount: vat },
  ]
  return {
    ...origin,
    holdId: renewal.holdId,
    kind: 'renewal',
    key: renewal.key,
    amount: renewal.total,
    reason: renewal.reason,
    ref: { type: 'renewal', id: renewal.renewalId },
    credits: credits.filter(({ amount }) => amount.minor !== 0n),
  }
}
