import { assert } from '#domain/kernel/assert.ts'
import type { CaptureResult, LedgerStore, PostResult, ReleaseRequest, ReleaseResult } from './ledger-store.ts'
import {
  assertCapture,
  assertHold,
  assertTransfer,
  type CaptureRequest,
  type HoldRequest,
  type Transfer,
} from './transfer.ts'

export type { CaptureResult, PostResult, ReleaseResult } from './ledger-store.ts'

/**
 * The only way to move money. Every call is repeatable: the same key with the same payload returns the first result,
 * with another payload IDEMPOTENCY_MISMATCH. A refusal has written nothing.
 */
export type Ledger = Pick<LedgerStore, 'userBalance' | 'account' | 'hold' | 'dueHolds'> & {
  /** Posts a balanced transfer. No wallet goes below the amount held on it. */
  post(transfer: Transfer): Promise<PostResult>
  /** Places a hold, bonus first; `ok` returns its id. */
  placeHold(hold: HoldRequest): Promise<PostResult>
  /** Resolves a hold by capturing money from it; `ok` returns the transaction's id. */
  capture(capture: CaptureRequest): Promise<CaptureResult>
  /** Resolves a hold by releasing all of it. */
  release(release: ReleaseRequest): Promise<ReleaseResult>
}

/** A ledger over a store. Shapes are asserted here, so stores receive only well-formed requests. */
export function openLedger(store: LedgerStore): Ledger {
  return {
    userBalance: (userId, currency) => store.userBalance(userId, currency),
    account: (account, currency) => store.account(account, currency),
    hold: (holdId) => store.hold(holdId),
    dueHolds: (atMs, limit) => {
      assert(limit > 0, 'A page has at least one row.')
      return store.dueHolds(atMs, limit)
    },
    post: async (transfer) => {
      assertTransfer(transfer)
      return store.post(transfer)
    },
    placeHold: async (hold) => {
      assertHold(hold)
      return store.placeHold(hold)
    },
    capture: async (capture) => {
      assertCapture(capture)
      return store.capture(capture)
    },
    release: (release) => store.release(release),
  }
}
