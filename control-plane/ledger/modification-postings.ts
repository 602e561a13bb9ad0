import { negate, type Money } from '#domain/billing/money.ts'
import { bonusOf, houseAccount, walletOf } from './chart-of-accounts.ts'
import type { Origin } from './postings.ts'
import type { Entry, Transfer } from './transfer.ts'

export type ModificationBack = {
  readonly modificationId: string
  readonly userId: string
  readonly money: Money
  readonly bonus: Money
  /** Of `money` and `bonus` together: what of it was revenue and what tax, by the sales that it comes from. */
  readonly net: Money
  readonly vat: Money
  readonly reason: string
}

/** A smaller size gives back what is not used: out of revenue and tax, to where it came from. */
export function modificationGivenBack(origin: Origin, given: ModificationBack): Transfer {
  const { userId, money, bonus, net, vat } = given
  const entries: Entry[] = [
    { account: houseAccount('revenue'), amount: negate(net) },
    { account: houseAccount('vat_payable'), amount: negate(vat) },
    { account: walletOf(userId), amount: money },
    { account: bonusOf(userId), amount: bonus },
  ]
  return {
    ...origin,
    kind: 'modification',
    key: `modify:${given.modificationId}:back`,
    currency: money.currency,
    reason: given.reason,
    ref: { type: 'modification', id: given.modificationId },
    entries: entries.filter(({ amount }) => amount.minor !== 0n),
  }
}
