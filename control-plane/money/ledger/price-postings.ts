import type { Money } from '#domain/billing/money.ts'
import { splitVat } from '#domain/billing/vat.ts'
import { houseAccount } from './chart-of-accounts.ts'
import type { Origin } from './postings.ts'
import type { CaptureRequest, Entry, Explanation, HoldRequest } from './transfer.ts'

/** A held price that is captured or released. The key names the purchase, so that it cannot be paid twice. */
export type PriceMoney = Pick<Explanation, 'ref' | 'reason'> & {
  readonly key: string
  readonly userId: string
  readonly total: Money
  /** The rate of the tax decided for the sale. */
  readonly rateBasisPoints: bigint
}

/** Holds the price until a given time (epoch milliseconds), bonus first. */
export function priceHeld(
  origin: Origin,
  { key, userId, total, reason, ref, expiresAtMs }: Omit<PriceMoney, 'rateBasisPoints'> & { expiresAtMs: number },
): HoldRequest {
  return { ...origin, key: `${key}:hold`, userId, amount: total, expiresAtMs, reason, ref }
}

/** Turns the held price into revenue and tax. The tax is split once and the parts add up to the price. */
export function priceCaptured(
  origin: Origin,
  price: PriceMoney & { readonly kind: string; readonly holdId: string },
): CaptureRequest {
  const { kind, key, holdId, total, reason, ref } = price
  const { net, vat } = splitVat(total, price.rateBasisPoints)
  const credits: Entry[] = [
    { account: houseAccount('revenue'), amount: net },
    { account: houseAccount('vat_payable'), amount: vat },
  ]
  return {
    ...origin,
    kind,
    key,
    holdId,
    reason,
    ref,
    amount: total,
    credits: credits.filter(({ amount }) => amount.minor !== 0n),
  }
}
