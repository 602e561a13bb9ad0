import type { SpinProof, SpinRecord, WheelView, WonCoupon } from '#contracts/http/spin.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { MAX_SPINS_PER_PURCHASE, nextFreeSpinAtMs, oddsTable, spinCount } from '#domain/prizes/wheel.ts'
import { readPackage } from '../../cms/catalog-reader.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { countryOf, promisedSeed, readWheel } from './open-wheel.ts'
import { accountsOfMailboxes } from '../mailboxes/mailbox-store.ts'
import { readSpinAccount, withFreeSpinOf } from './spin-account.ts'

/** A person's view of the wheel. The commitment to the next draw is made here, before the spin. */
export async function viewWheel(context: MoneyContext, { userId, locale }: Caller): Promise<WheelView> {
  const { db, clock, ledgerOn } = context
  const { settings, prizes, isEnabled } = await readWheel(db)
  const own = await readSpinAccount(db, userId)
  const account = await withFreeSpinOf(db, own, await accountsOfMailboxes(db, userId))
  const nowMs = clock.now()
  const odds = isEnabled ? oddsTable(prizes) : []
  const nextMs = nextFreeSpinAtMs(account.lastFreeSpinAtMs)
  const packageId = settings.server_package_id
  const given = packageId === null ? undefined : await readPackage(db, packageId)
  const { available } = await ledgerOn(db).userBalance(userId, 'HUF')
  return {
    isEnabled,
    spinCount: spinCount(account, nowMs),
    nextFreeSpinAt: nextMs > nowMs ? new Date(nextMs).toISOString() : null,
    rerolls: account.rerolls,
    granted: account.granted,
    bought: account.bought,
    fields: isEnabled ? prizes.map((prize, at) => ({ ...prize, basisPoints: odds[at]?.basisPoints ?? 0 })) : [],
    serverPackage: given?.name[locale] ?? null,
    serverSeedHash: isEnabled ? (await promisedSeed(db, context, userId)).serverSeedHash : null,
    buying: {
      isOn: isEnabled && settings.buying && !settings.blocked_countries.includes(await countryOf(db, userId)),
      priceFt: settings.spin_price_ft,
      most: MAX_SPINS_PER_PURCHASE,
    },
    legalNote: settings.legal_note?.[locale] ?? '',
    balanceFt: Number(available.minor),
    coupons: await wonCoupons(db, userId),
  }
}

type CouponRow = { code: string; percent: number; package_id: string | null; drawn_at: Date; used: boolean }

async function wonCoupons(sql: Sql, userId: string): Promise<WonCoupon[]> {
  const rows = await sql.query<CouponRow>(
    `select c.code, c.percent, c.package_id, c.drawn_at, exists (select from control.coupon_reservations r
       where r.coupon_id = c.id and r.state <> 'released') as used
     from control.prize_coupons c where c.user_id = $1 order by c.drawn_at desc, c.id desc limit 50`,
    [userId],
  )
  return rows.map((row) => ({
    code: row.code,
    percent: row.percent,
    isServer: row.package_id !== null,
    used: row.used,
    validUntil: new Date(row.drawn_at.getTime() + BILLING_MONTH_MS).toISOString(),
  }))
}

type SpinRow = {
  id: string
  type: SpinRecord['type']
  amount: number
  source: SpinRecord['source']
  coupon_code: string | null
  created_at: Date
}

const RECORD = 'id, type, amount, source, coupon_code, created_at'

const recordOf = (row: SpinRow): SpinRecord => ({
  id: row.id,
  type: row.type,
  amount: row.amount,
  source: row.source,
  couponCode: row.coupon_code,
  date: row.created_at.toISOString(),
})

const DEFAULT_PAGE = 50

/** A page of a person's draws, newest first. */
export async function listSpins(
  sql: Sql,
  { userId, limit = DEFAULT_PAGE, before }: { userId: string; limit?: number | undefined; before?: string | undefined },
): Promise<{ items: SpinRecord[]; next: string | null }> {
  const rows = await sql.query<SpinRow>(
    `select ${RECORD} from control.spins where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [userId, before ?? null, limit + 1],
  )
  const items = rows.slice(0, limit).map(recordOf)
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

type ProofRow = SpinRow & {
  prize_id: string
  prizes: SpinProof['prizes']
  ticket: bigint
  server_seed: string
  server_seed_hash: string
  client_seed: string
  nonce: number
}

/** The proof of one draw, for the person who made it; undefined for everybody else. */
export async function proveSpin(
  sql: Sql,
  { userId, spinId }: { userId: string; spinId: string },
): Promise<SpinProof | undefined> {
  const [row] = await sql.query<ProofRow>(
    `select ${RECORD}, prize_id, prizes, ticket, server_seed, server_seed_hash, client_seed, nonce
     from control.spins where id = $1 and user_id = $2`,
    [spinId, userId],
  )
  if (!row) return undefined
  return {
    ...recordOf(row),
    prizeId: row.prize_id,
    prizes: row.prizes,
    ticket: Number(row.ticket),
    nonce: row.nonce,
    serverSeed: row.server_seed,
    serverSeedHash: row.server_seed_hash,
    clientSeed: row.client_seed,
  }
}
