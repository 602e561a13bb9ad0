import type { Sql } from '#platform/postgres/database.ts'
import type { SpinAccount } from '#domain/prizes/wheel.ts'
import { lockInOrder } from '../ledger/lock-order.ts'

type AccountRow = { last_free_spin_at: Date | null; rerolls: number; granted: number; bought: number }

const COLUMNS = 'last_free_spin_at, rerolls, granted, bought'

const accountOf = (userId: string, row: AccountRow | undefined): SpinAccount => ({
  userId,
  lastFreeSpinAtMs: row?.last_free_spin_at?.getTime(),
  rerolls: row?.rerolls ?? 0,
  granted: row?.granted ?? 0,
  bought: row?.bought ?? 0,
})

/** A person's spins. */
export async function readSpinAccount(sql: Sql, userId: string): Promise<SpinAccount> {
  const [row] = await sql.query<AccountRow>(`select ${COLUMNS} from control.spin_accounts where user_id = $1`, [userId])
  return accountOf(userId, row)
}

/** As `readSpinAccount`, and blocks every other spin of this person until the transaction ends. */
export async function lockSpinAccount(tx: Sql, userId: string): Promise<SpinAccount> {
  await lockInOrder(tx, { spins: userId })
  return readSpinAccount(tx, userId)
}

const LAST_OF = 'select max(last_free_spin_at) as at from control.spin_accounts where user_id = any ($1)'

/** The account with the latest free spin of these accounts, which are those of one mailbox. */
export async function withFreeSpinOf(
  sql: Sql,
  account: SpinAccount,
  accounts: readonly string[],
): Promise<SpinAccount> {
  const [latest] = await sql.query<{ at: Date | null }>(LAST_OF, [accounts])
  return { ...account, lastFreeSpinAtMs: latest?.at?.getTime() }
}

/** Writes a locked account. */
export async function writeSpinAccount(tx: Sql, account: SpinAccount): Promise<void> {
  const { userId, lastFreeSpinAtMs, rerolls, granted, bought } = account
  const last = lastFreeSpinAtMs === undefined ? null : new Date(lastFreeSpinAtMs)
  await tx.query(
    `update control.spin_accounts set last_free_spin_at = $2, rerolls = $3, granted = $4, bought = $5 where user_id = $1`,
    [userId, last, rerolls, granted, bought],
  )
}

/** Grants free spins once per key, which is unique for ever. Returns whether they were granted now. */
export async function grantSpins(
  tx: Sql,
  grant: { key: string; userId: string; spins: number; couponId?: string; atMs: number },
): Promise<boolean> {
  const { key, userId, spins, couponId, atMs } = grant
  const account = await lockSpinAccount(tx, userId)
  const rows = await tx.query(
    `insert into control.spin_grants (key, user_id, spins, coupon_id, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning key`,
    [key, userId, spins, couponId ?? null, new Date(atMs)],
  )
  if (rows.length === 0) return false
  await writeSpinAccount(tx, { ...account, granted: account.granted + spins })
  return true
}
