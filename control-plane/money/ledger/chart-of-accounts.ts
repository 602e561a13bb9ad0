/**
 * The accounts of the ledger. A positive balance is a liability of the house (wallets, tax) or its income; money that a
 * provider still owes is a negative balance of its clearing account.
 */
export const ACCOUNT_KINDS = {
  /** Money paid in by a customer. */
  user_wallet: { owned: true, byProvider: false, mayBeNegative: false },
  /** Bonus granted to a customer. It is spent first and never becomes money again. */
  user_bonus: { owned: true, byProvider: false, mayBeNegative: false },
  /** A customer's debt after a charge-back: never above zero. */
  user_debt: { owned: true, byProvider: false, mayBeNegative: true },
  provider_clearing: { owned: false, byProvider: true, mayBeNegative: true },
  provider_fee: { owned: false, byProvider: true, mayBeNegative: true },
  revenue: { owned: false, byProvider: false, mayBeNegative: true },
  vat_payable: { owned: false, byProvider: false, mayBeNegative: true },
  /** The cost of granted bonuses. */
  promotion: { owned: false, byProvider: false, mayBeNegative: true },
  rounding: { owned: false, byProvider: false, mayBeNegative: true },
  refunds_out: { owned: false, byProvider: false, mayBeNegative: true },
  /** The counter account of corrections by staff. */
  manual_adjustment: { owned: false, byProvider: false, mayBeNegative: true },
  /** Charge-backs that customers have not made good. */
  chargeback_loss: { owned: false, byProvider: false, mayBeNegative: true },
} as const

export type AccountKind = keyof typeof ACCOUNT_KINDS

/** Identifies an account; its first entry opens it. The nil uuid is the house. */
export type AccountRef = { readonly kind: AccountKind; readonly ownerId: string; readonly provider: string }

export const HOUSE = '00000000-0000-0000-0000-000000000000'

export const walletOf = (userId: string): AccountRef => ({ kind: 'user_wallet', ownerId: userId, provider: '' })
export const bonusOf = (userId: string): AccountRef => ({ kind: 'user_bonus', ownerId: userId, provider: '' })
export const debtOf = (userId: string): AccountRef => ({ kind: 'user_debt', ownerId: userId, provider: '' })
export const clearingOf = (provider: string): AccountRef => ({ kind: 'provider_clearing', ownerId: HOUSE, provider })

type HouseKind =
  'revenue' | 'vat_payable' | 'promotion' | 'rounding' | 'refunds_out' | 'manual_adjustment' | 'chargeback_loss'
export const houseAccount = (kind: HouseKind): AccountRef => ({ kind, ownerId: HOUSE, provider: '' })

/** The text key of an account, for maps and payload hashes. */
export const accountKey = (account: AccountRef): string => `${account.kind}:${account.ownerId}:${account.provider}`
