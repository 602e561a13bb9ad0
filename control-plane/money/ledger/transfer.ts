import { createHash } from 'node:crypto'
import { assert } from '#domain/kernel/assert.ts'
import type { LedgerDocument } from '#contracts/http/staff-money.ts'
import type { CurrencyCode, Money } from '#domain/billing/money.ts'
import { accountKey, type AccountRef } from './chart-of-accounts.ts'

/** The explanation of a movement: a sentence, and its document. */
export type Explanation = {
  readonly reason: string
  readonly ref: { readonly type: LedgerDocument; readonly id: string }
  /** `user:<id>`, `staff:<id>` or `system`. */
  readonly actor: string
  readonly requestId: string
}

export type Entry = { readonly account: AccountRef; readonly amount: Money }

/** A transaction to post. `key` is built from business ids, never from time or chance, and never expires. */
export type Transfer = Explanation & {
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly currency: CurrencyCode
  readonly atMs: number
  readonly entries: readonly Entry[]
  readonly reverses?: string
}

/** Money held from a user's wallets, bonus first, until it is captured, released or expires. */
export type HoldRequest = Explanation & {
  readonly id: string
  readonly key: string
  readonly userId: string
  readonly amount: Money
  readonly atMs: number
  readonly expiresAtMs: number
}

/** Captures `amount` of a hold for `credits`, which add up to it. The rest of the hold is released. */
export type CaptureRequest = Explanation & {
  readonly id: string
  readonly holdId: string
  readonly kind: string
  readonly key: string
  readonly amount: Money
  readonly atMs: number
  readonly credits: readonly Entry[]
}

/** Throws AssertionFailure unless the entries are at least two, not zero, one for each account, and add up to zero. */
export function assertTransfer(transfer: Transfer): void {
  const { entries } = transfer
  assertExplained(transfer)
  assert(entries.length >= 2, 'A transfer has at least two entries.')
  assertEntries(entries, transfer.currency)
  assert(total(entries) === 0n, 'The entries of a transfer add up to zero.')
}

/** Throws AssertionFailure for a zero hold, or one that ends before it begins. */
export function assertHold(hold: HoldRequest): void {
  assertExplained(hold)
  assert(hold.amount.minor > 0n, 'A hold is more than zero.')
  assert(hold.expiresAtMs > hold.atMs, 'A hold ends after it begins.')
}

/** Throws AssertionFailure unless the credits are positive and add up to the captured amount. */
export function assertCapture(capture: CaptureRequest): void {
  assertExplained(capture)
  assert(capture.amount.minor > 0n, 'A capture is more than zero.')
  assertEntries(capture.credits, capture.amount.currency)
  assert(
    capture.credits.every((credit) => credit.amount.minor > 0n),
    'A capture only gives.',
  )
  assert(total(capture.credits) === capture.amount.minor, 'The credits of a capture add up to its amount.')
}

/** SHA-256 in hex over the parts that a repetition must share: not its id, time, actor or request. */
export function transferHash(transfer: Transfer): string {
  return hash([
    transfer.kind,
    transfer.currency,
    explained(transfer),
    entryList(transfer.entries),
    transfer.reverses ?? '',
  ])
}

/** As `transferHash`, for a hold. */
export function holdHash(hold: HoldRequest): string {
  return hash(['hold', hold.amount.currency, explained(hold), hold.userId, hold.amount.minor.toString()])
}

/** As `transferHash`, for a capture. */
export function captureHash(capture: CaptureRequest): string {
  const { amount } = capture
  return hash([
    capture.kind,
    amount.currency,
    explained(capture),
    capture.holdId,
    amount.minor.toString(),
    entryList(capture.credits),
  ])
}

const hash = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

const explained = ({ reason, ref }: Explanation): string[] => [reason, ref.type, ref.id]

const entryList = (entries: readonly Entry[]): string[][] =>
  entries.map(({ account, amount }) => [accountKey(account), amount.minor.toString()]).toSorted()

const total = (entries: readonly Entry[]): bigint => entries.reduce((sum, { amount }) => sum + amount.minor, 0n)

function assertExplained({ reason, ref, actor }: Explanation): void {
  assert(
    reason.trim() !== '' && ref.id !== '' && actor !== '',
    'Every movement of money has a reason, a document and an actor.',
  )
}

function assertEntries(entries: readonly Entry[], currency: CurrencyCode): void {
  assert(
    entries.every(({ amount }) => amount.minor !== 0n && amount.currency === currency),
    'Entries are not zero and share one currency.',
  )
  assert(
    new Set(entries.map(({ account }) => accountKey(account))).size === entries.length,
    'An account appears once in a transfer.',
  )
}
