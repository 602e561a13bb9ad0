import { assert } from '#domain/kernel/assert.ts'
import { isLess, money, negate, subtract, type CurrencyCode, type Money } from '#domain/billing/money.ts'
import {
  ACCOUNT_KINDS,
  accountKey,
  bonusOf,
  walletOf,
  type AccountRef,
} from '../../control-plane/money/ledger/chart-of-accounts.ts'
import type {
  AccountState,
  CaptureResult,
  Hold,
  LedgerStore,
  PostResult,
  ReleaseRequest,
  ReleaseResult,
} from '../../control-plane/money/ledger/ledger-store.ts'
import {
  captureHash,
  holdHash,
  transferHash,
  type CaptureRequest,
  type Entry,
  type HoldRequest,
  type Transfer,
} from '../../control-plane/money/ledger/transfer.ts'

type Account = { balance: bigint; held: bigint; version: bigint; mayBeNegative: boolean }
type Stored = { id: string; hash: string }
type Books = {
  accounts: Map<string, Account>
  transactions: Map<string, Stored>
  holdKeys: Map<string, Stored>
  holds: Map<string, Hold>
}

/** The ledger as plain maps: the model for comparison with PostgreSQL. Nothing in it awaits, so nothing interleaves. */
export function memoryLedgerStore(): LedgerStore {
  const books: Books = { accounts: new Map(), transactions: new Map(), holdKeys: new Map(), holds: new Map() }
  return {
    post: async (transfer) => post(books, transfer),
    placeHold: async (request) => placeHold(books, request),
    capture: async (request) => capture(books, request),
    release: async (request) => release(books, request),
    userBalance: async (userId, currency) => {
      const wallet = accountOf(books, walletOf(userId), currency)
      const bonus = accountOf(books, bonusOf(userId), currency)
      const held = wallet.held + bonus.held
      return {
        money: money(wallet.balance, currency),
        bonus: money(bonus.balance, currency),
        held: money(held, currency),
        available: money(wallet.balance + bonus.balance - held, currency),
      }
    },
    account: async (account, currency): Promise<AccountState> => {
      const { balance, held, version } = accountOf(books, account, currency)
      return { balance, held, version }
    },
    hold: async (holdId) => books.holds.get(holdId),
    dueHolds: async (atMs, limit) =>
      [...books.holds.values()]
        .filter((hold) => hold.state === 'open' && hold.expiresAtMs <= atMs)
        .toSorted((a, b) => a.expiresAtMs - b.expiresAtMs || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map((hold) => hold.id),
  }
}

function accountOf(books: Books, ref: AccountRef, currency: CurrencyCode): Account {
  const key = `${accountKey(ref)}:${currency}`
  const found = books.accounts.get(key)
  if (found) return found
  const { mayBeNegative } = ACCOUNT_KINDS[ref.kind]
  const opened: Account = { balance: 0n, held: 0n, version: 0n, mayBeNegative }
  books.accounts.set(key, opened)
  return opened
}

const replay = (
  stored: Stored,
  hash: string,
): { ok: true; id: string; replayed: true } | { ok: false; code: 'IDEMPOTENCY_MISMATCH' } =>
  stored.hash === hash ? { ok: true, id: stored.id, replayed: true } : { ok: false, code: 'IDEMPOTENCY_MISMATCH' }

function post(books: Books, transfer: Transfer): PostResult {
  const hash = transferHash(transfer)
  const stored = books.transactions.get(transfer.key)
  if (stored) return replay(stored, hash)
  const lacks = transfer.entries.map(({ account: ref, amount }) => {
    const account = accountOf(books, ref, transfer.currency)
    const after = account.balance - account.held + amount.minor
    return account.mayBeNegative || amount.minor >= 0n || after >= 0n ? 0n : -after
  })
  const missing = lacks.reduce((a, b) => (a > b ? a : b), 0n)
  if (missing > 0n) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: money(missing, transfer.currency) }
  write(books, transfer.entries)
  books.transactions.set(transfer.key, { id: transfer.id, hash })
  return { ok: true, id: transfer.id, replayed: false }
}

function write(books: Books, entries: readonly Entry[]): void {
  for (const { account: ref, amount } of entries) {
    const account = accountOf(books, ref, amount.currency)
    account.balance += amount.minor
    account.version += 1n
    assert(
      account.mayBeNegative || account.balance - account.held >= 0n,
      'A wallet never goes below what is held on it.',
    )
  }
}

function placeHold(books: Books, request: HoldRequest): PostResult {
  const hash = holdHash(request)
  const stored = books.holdKeys.get(request.key)
  if (stored) return replay(stored, hash)
  const { amount, userId } = request
  const bonus = accountOf(books, bonusOf(userId), amount.currency)
  const wallet = accountOf(books, walletOf(userId), amount.currency)
  const freeBonus = money(bonus.balance - bonus.held, amount.currency)
  const fromBonus = isLess(freeBonus, amount) ? freeBonus : amount
  const fromWallet = subtract(amount, fromBonus)
  const missing = fromWallet.minor - (wallet.balance - wallet.held)
  if (missing > 0n) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: money(missing, amount.currency) }
  bonus.held += fromBonus.minor
  wallet.held += fromWallet.minor
  const { id, key, expiresAtMs } = request
  books.holds.set(id, { id, key, userId, amount, fromBonus, fromWallet, state: 'open', expiresAtMs })
  books.holdKeys.set(key, { id, hash })
  return { ok: true, id, replayed: false }
}

const RESOLVED = { captured: 'HOLD_CAPTURED', released: 'HOLD_RELEASED', expired: 'HOLD_EXPIRED' } as const

function openHold(books: Books, holdId: string): Hold {
  const hold = books.holds.get(holdId)
  assert(hold, `Hold ${holdId} exists.`)
  return hold
}

function free(books: Books, hold: Hold): void {
  accountOf(books, bonusOf(hold.userId), hold.amount.currency).held -= hold.fromBonus.minor
  accountOf(books, walletOf(hold.userId), hold.amount.currency).held -= hold.fromWallet.minor
}

function capture(books: Books, request: CaptureRequest): CaptureResult {
  const hold = openHold(books, request.holdId)
  const hash = captureHash(request)
  const stored = books.transactions.get(request.key)
  if (stored) return replay(stored, hash)
  if (hold.state !== 'open') return { ok: false, code: RESOLVED[hold.state] }
  assert(!isLess(hold.amount, request.amount), 'A capture is at most its hold.')
  const fromBonus = isLess(hold.fromBonus, request.amount) ? hold.fromBonus : request.amount
  const fromWallet = subtract(request.amount, fromBonus)
  free(books, hold)
  write(books, [
    ...debit(bonusOf(hold.userId), fromBonus),
    ...debit(walletOf(hold.userId), fromWallet),
    ...request.credits,
  ])
  books.holds.set(hold.id, { ...hold, state: 'captured' })
  books.transactions.set(request.key, { id: request.id, hash })
  return { ok: true, id: request.id, replayed: false }
}

const debit = (account: AccountRef, amount: Money): Entry[] =>
  amount.minor === 0n ? [] : [{ account, amount: negate(amount) }]

function release(books: Books, request: ReleaseRequest): ReleaseResult {
  const hold = openHold(books, request.holdId)
  if (hold.state === request.state) return { ok: true, replayed: true }
  if (hold.state !== 'open') return { ok: false, code: RESOLVED[hold.state] }
  if (request.state === 'expired' && hold.expiresAtMs > request.atMs) return { ok: false, code: 'HOLD_NOT_DUE' }
  free(books, hold)
  books.holds.set(hold.id, { ...hold, state: request.state })
  return { ok: true, replayed: false }
}
