import { negate, type Money } from '#domain/billing/money.ts'
import type { Buckets } from '#domain/billing/refund.ts'
import { bonusOf, houseAccount, walletOf } from './chart-of-accounts.ts'
import type { Origin } from './postings.ts'
import type { Entry, Explanation, Transfer } from './transfer.ts'

/** `net` leaves revenue and `vat` the tax; their sum is that of `money` and `bonus`. */
type GivenBack = Buckets & {
  readonly userId: string
  readonly reason: string
  readonly split: { readonly net: Money; readonly vat: Money }
}
type Movement = { readonly kind: string; readonly key: string; readonly ref: Explanation['ref'] }

/** From revenue and tax back to the buckets that paid. */
function givenBack(origin: Origin, { kind, key, ref }: Movement, given: GivenBack): Transfer {
  const { userId, money, bonus, reason } = given
  const { net, vat } = given.split
  const entries: Entry[] = [
    { account: houseAccount('revenue'), amount: negate(net) },
    { account: houseAccount('vat_payable'), amount: negate(vat) },
    { account: walletOf(userId), amount: money },
    { account: bonusOf(userId), amount: bonus },
  ]
  const moved = entries.filter(({ amount }) => amount.minor !== 0n)
  return { ...origin, kind, key, currency: money.currency, reason, ref, entries: moved }
}

/** The refund of a contract after a withdrawal: once per contract. */
export const withdrawn = (
  origin: Origin,
  given: GivenBack & { readonly contract: 'order' | 'renewal' | 'premium'; readonly documentId: string },
): Transfer => {
  const { contract, documentId } = given
  const ref = { type: contract, id: documentId }
  return givenBack(origin, { kind: 'withdrawal', key: `withdraw:${contract}:${documentId}`, ref }, given)
}

/** The refund of the unused part after a downgrade: once per change. */
export const modificationGivenBack = (
  origin: Origin,
  given: GivenBack & { readonly modificationId: string },
): Transfer => {
  const ref = { type: 'modification', id: given.modificationId } as const
  return givenBack(origin, { kind: 'modification', key: `modify:${given.modificationId}:back`, ref }, given)
}

/** The refund of a rejected resize: once per change, or per conversion order. */
export const rejectedReturned = (
  origin: Origin,
  given: GivenBack & { readonly document: { readonly kind: 'order' | 'modification'; readonly id: string } },
): Transfer => {
  const { kind, id } = given.document
  const key = `${kind === 'order' ? 'convert' : 'modify'}:${id}:rejected`
  return givenBack(origin, { kind, key, ref: { type: kind, id } }, given)
}

/** A refund of a server by staff. */
export const serverRefunded = (origin: Origin, given: GivenBack & { readonly refundId: string }): Transfer => {
  const ref = { type: 'refund', id: given.refundId } as const
  return givenBack(origin, { kind: 'server-refund', key: `server-refund:${given.refundId}`, ref }, given)
}
