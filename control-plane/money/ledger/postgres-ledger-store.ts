import { assertNever } from '#domain/kernel/assert.ts'
import { money, type CurrencyCode } from '#domain/billing/money.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { accountKey, bonusOf, walletOf, type AccountRef } from './chart-of-accounts.ts'
import type {
  AccountState,
  CaptureResult,
  Hold,
  HoldState,
  LedgerStore,
  PostResult,
  ReleaseResult,
  UserBalance,
} from './ledger-store.ts'
import {
  captureHash,
  holdHash,
  transferHash,
  type CaptureRequest,
  type Entry,
  type Explanation,
  type HoldRequest,
  type Transfer,
} from './transfer.ts'

type Outcome = { status: string; id: string | null; replayed: boolean; missing_minor: bigint }

/** The ledger in schema `control`, through its functions only. Bound to the pool or to one transaction. */
export function postgresLedgerStore(sql: Sql): LedgerStore {
  return {
    post: async (transfer) =>
      readPost(await outcome(sql, 'control.ledger_post($1, $2)', postArguments(transfer)), transfer.currency),
    placeHold: async (hold) =>
      readPost(await outcome(sql, 'control.ledger_place_hold($1)', [holdArgument(hold)]), hold.amount.currency),
    capture: async (capture) =>
      readCapture(await outcome(sql, 'control.ledger_capture($1, $2, $3, $4)', captureArguments(capture))),
    release: async ({ holdId, state, atMs }) =>
      readRelease(await outcome(sql, 'control.ledger_release($1, $2, $3)', [holdId, state, instant(atMs)])),
    userBalance: (userId, currency) => userBalance(sql, userId, currency),
    account: (account, currency) => accountState(sql, account, currency),
    hold: (holdId) => findHold(sql, holdId),
    dueHolds: async (atMs, limit) => {
      const rows = await sql.query<{ id: string }>(
        `select id from control.ledger_holds where state = 'open' and expires_at <= $1 order by expires_at, id limit $2`,
        [instant(atMs), limit],
      )
      return rows.map((row) => row.id)
    },
  }
}

async function outcome(sql: Sql, call: string, values: readonly unknown[]): Promise<Outcome> {
  const [row] = await sql.query<Outcome>(`select status, id, replayed, missing_minor from ${call}`, values)
  if (!row) throw new Error(`${call} answered nothing`)
  return row
}

const instant = (atMs: number): string => new Date(atMs).toISOString()

const explanation = ({ reason, ref, actor, requestId }: Explanation) => ({
  reason,
  refType: ref.type,
  refId: ref.id,
  actor,
  requestId,
})

const entryRows = (entries: readonly Entry[]): string =>
  JSON.stringify(
    entries.map(({ account, amount }) => ({
      kind: account.kind,
      owner: account.ownerId,
      provider: account.provider,
      amount: amount.minor.toString(),
    })),
  )

function postArguments(transfer: Transfer): readonly unknown[] {
  const meta = {
    ...explanation(transfer),
    id: transfer.id,
    kind: transfer.kind,
    key: transfer.key,
    hash: transferHash(transfer),
    currency: transfer.currency,
    at: instant(transfer.atMs),
    reverses: transfer.reverses,
  }
  return [JSON.stringify(meta), entryRows(transfer.entries)]
}

function holdArgument(hold: HoldRequest): string {
  return JSON.stringify({
    ...explanation(hold),
    id: hold.id,
    key: hold.key,
    hash: holdHash(hold),
    owner: hold.userId,
    currency: hold.amount.currency,
    amount: hold.amount.minor.toString(),
    at: instant(hold.atMs),
    expiresAt: instant(hold.expiresAtMs),
  })
}

function captureArguments(capture: CaptureRequest): readonly unknown[] {
  const meta = {
    ...explanation(capture),
    id: capture.id,
    kind: capture.kind,
    key: capture.key,
    hash: captureHash(capture),
    currency: capture.amount.currency,
    at: instant(capture.atMs),
  }
  return [capture.holdId, capture.amount.minor.toString(), JSON.stringify(meta), entryRows(capture.credits)]
}

type Known = 'POSTED' | 'HELD' | 'FREED' | 'INSUFFICIENT_BALANCE' | 'IDEMPOTENCY_MISMATCH' | `HOLD_${string}`

function readPost(row: Outcome, currency: CurrencyCode): PostResult {
  const status = row.status as Exclude<Known, 'FREED' | `HOLD_${string}`>
  switch (status) {
    case 'POSTED':
    case 'HELD':
      return { ok: true, id: row.id ?? '', replayed: row.replayed }
    case 'INSUFFICIENT_BALANCE':
      return { ok: false, code: status, missing: money(row.missing_minor, currency) }
    case 'IDEMPOTENCY_MISMATCH':
      return { ok: false, code: status }
    default:
      return assertNever(status)
  }
}

function readCapture(row: Outcome): CaptureResult {
  if (row.status === 'POSTED') return { ok: true, id: row.id ?? '', replayed: row.replayed }
  const code = row.status as Extract<CaptureResult, { ok: false }>['code']
  switch (code) {
    case 'IDEMPOTENCY_MISMATCH':
    case 'HOLD_CAPTURED':
    case 'HOLD_RELEASED':
    case 'HOLD_EXPIRED':
      return { ok: false, code }
    default:
      return assertNever(code)
  }
}

function readRelease(row: Outcome): ReleaseResult {
  if (row.status === 'FREED') return { ok: true, replayed: row.replayed }
  const code = row.status as Extract<ReleaseResult, { ok: false }>['code']
  switch (code) {
    case 'HOLD_CAPTURED':
    case 'HOLD_RELEASED':
    case 'HOLD_EXPIRED':
    case 'HOLD_NOT_DUE':
      return { ok: false, code }
    default:
      return assertNever(code)
  }
}

type AccountRow = { kind: string; balance_minor: bigint; held_minor: bigint; version: bigint }

async function userBalance(sql: Sql, userId: string, currency: CurrencyCode): Promise<UserBalance> {
  const rows = await sql.query<AccountRow>(
    `select kind, balance_minor, held_minor, version from control.ledger_accounts
     where owner_id = $1 and currency = $2 and kind in ('user_wallet', 'user_bonus')`,
    [userId, currency],
  )
  const wallet = rows.find((row) => row.kind === walletOf(userId).kind)
  const bonus = rows.find((row) => row.kind === bonusOf(userId).kind)
  const held = (wallet?.held_minor ?? 0n) + (bonus?.held_minor ?? 0n)
  const total = (wallet?.balance_minor ?? 0n) + (bonus?.balance_minor ?? 0n)
  return {
    money: money(wallet?.balance_minor ?? 0n, currency),
    bonus: money(bonus?.balance_minor ?? 0n, currency),
    held: money(held, currency),
    available: money(total - held, currency),
  }
}

async function accountState(sql: Sql, account: AccountRef, currency: CurrencyCode): Promise<AccountState> {
  const rows = await sql.query<AccountRow>(
    `select kind, balance_minor, held_minor, version from control.ledger_accounts
     where kind = $1 and owner_id = $2 and provider = $3 and currency = $4`,
    [account.kind, account.ownerId, account.provider, currency],
  )
  if (rows.length > 1) throw new Error(`account ${accountKey(account)} exists twice`)
  const [row] = rows
  return { balance: row?.balance_minor ?? 0n, held: row?.held_minor ?? 0n, version: row?.version ?? 0n }
}

type HoldRow = {
  id: string
  idempotency_key: string
  owner_id: string
  currency: CurrencyCode
  amount_minor: bigint
  bonus_minor: bigint
  wallet_minor: bigint
  state: HoldState
  expires_at: Date
}

async function findHold(sql: Sql, holdId: string): Promise<Hold | undefined> {
  const [row] = await sql.query<HoldRow>(
    `select id, idempotency_key, owner_id, currency, amount_minor, bonus_minor, wallet_minor, state, expires_at
     from control.ledger_holds where id = $1`,
    [holdId],
  )
  if (!row) return undefined
  return {
    id: row.id,
    key: row.idempotency_key,
    userId: row.owner_id,
    amount: money(row.amount_minor, row.currency),
    fromBonus: money(row.bonus_minor, row.currency),
    fromWallet: money(row.wallet_minor, row.currency),
    state: row.state,
    expiresAtMs: row.expires_at.getTime(),
  }
}
