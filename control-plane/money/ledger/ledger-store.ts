import type { CurrencyCode, Money } from '#domain/billing/money.ts'
import type { AccountRef } from './chart-of-accounts.ts'
import type { CaptureRequest, HoldRequest, Transfer } from './transfer.ts'

export type PostResult =
  | { readonly ok: true; readonly id: string; readonly replayed: boolean }
  | { readonly ok: false; readonly code: 'INSUFFICIENT_BALANCE'; readonly missing: Money }
  | { readonly ok: false; readonly code: 'IDEMPOTENCY_MISMATCH' }

export type HoldState = 'open' | 'captured' | 'released' | 'expired'

export type CaptureResult =
  | { readonly ok: true; readonly id: string; readonly replayed: boolean }
  | { readonly ok: false; readonly code: 'IDEMPOTENCY_MISMATCH' | 'HOLD_CAPTURED' | 'HOLD_RELEASED' | 'HOLD_EXPIRED' }

export type ReleaseResult =
  | { readonly ok: true; readonly replayed: boolean }
  | { readonly ok: false; readonly code: 'HOLD_CAPTURED' | 'HOLD_RELEASED' | 'HOLD_EXPIRED' | 'HOLD_NOT_DUE' }

export type ReleaseRequest = { readonly holdId: string; readonly state: 'released' | 'expired'; readonly atMs: number }

/** A user's balance. `available` is the spendable amount: money + bonus - held. */
export type UserBalance = {
  readonly money: Money
  readonly bonus: Money
  readonly held: Money
  readonly available: Money
}

export type Hold = {
  readonly id: string
  readonly key: string
  readonly userId: string
  readonly amount: Money
  readonly fromBonus: Money
  readonly fromWallet: Money
  readonly state: HoldState
  readonly expiresAtMs: number
}

export type AccountState = { readonly balance: bigint; readonly held: bigint; readonly version: bigint }

/**
 * The ledger's storage. Two implementations behave alike: PostgreSQL in the control plane, and memory as the model that
 * tests compare it with. A store bound to a transaction is only as durable as that transaction.
 */
export interface LedgerStore {
  post(transfer: Transfer): Promise<PostResult>
  placeHold(hold: HoldRequest): Promise<PostResult>
  capture(capture: CaptureRequest): Promise<CaptureResult>
  release(release: ReleaseRequest): Promise<ReleaseResult>
  userBalance(userId: string, currency: CurrencyCode): Promise<UserBalance>
  account(account: AccountRef, currency: CurrencyCode): Promise<AccountState>
  hold(holdId: string): Promise<Hold | undefined>
  /** Ids of expired open holds, oldest first. */
  dueHolds(atMs: number, limit: number): Promise<string[]>
}
