import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import type { RouteClass, RouteLimit } from '#contracts/http/limits.ts'
import type { Clock } from '#platform/clock.ts'
import { capacityMs, KeyedBuckets, requestCostMs, takeFromBucket } from '#platform/token-bucket.ts'
import type { Sql } from './database.ts'

export type LimitAnswer = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }

/** Counts requests in buckets. A bucket is named by its class and by a key made with bucketKey. */
export interface LimitStore {
  take(name: RouteClass, key: string): Promise<LimitAnswer>
  /** Returns the token of one allowed request. */
  giveBack(name: RouteClass, key: string): Promise<void>
}

const refused = (retryAfterMs: number): LimitAnswer => ({
  ok: false,
  retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
})

const TAKE = `
  insert into identity.limit_buckets as bucket (key, empty_at_ms) values ($1, $2::bigint + $3::bigint)
  on conflict (key) do update set empty_at_ms = greatest(bucket.empty_at_ms, $2::bigint) + $3::bigint
  where greatest(bucket.empty_at_ms, $2::bigint) + $3::bigint - $2::bigint <= $4::bigint
  returning 1`

const takeShared = async (db: Sql, bucket: { key: string; limit: RouteLimit; nowMs: number }): Promise<LimitAnswer> => {
  const { key, limit, nowMs } = bucket
  const taken = await db.query(TAKE, [key, nowMs, Math.ceil(requestCostMs(limit)), Math.ceil(capacityMs(limit))])
  if (taken.length > 0) return { ok: true }
  const [row] = await db.query<{ empty_at_ms: bigint }>(
    'select empty_at_ms from identity.limit_buckets where key = $1',
    [key],
  )
  const decision = takeFromBucket(limit, Number(row?.empty_at_ms ?? nowMs), nowMs)
  return refused(decision.ok ? 0 : decision.retryAfterMs)
}

/** Buckets in PostgreSQL, shared by every process of the site. A refused request writes nothing. */
export const postgresLimitStore = (db: Sql, clock: Clock): LimitStore => ({
  take: (name, key) => takeShared(db, { key, limit: ROUTE_LIMITS[name], nowMs: clock.now() }),
  giveBack: async (name, key) => {
    await db.query('update identity.limit_buckets set empty_at_ms = empty_at_ms - $2 where key = $1', [
      key,
      Math.ceil(requestCostMs(ROUTE_LIMITS[name])),
    ])
  },
})

/** Deletes empty buckets. Resolves with their number. */
export const sweepLimitBuckets = async (db: Sql, clock: Clock): Promise<number> =>
  (await db.query('delete from identity.limit_buckets where empty_at_ms < $1 returning 1', [clock.now()])).length

const MAX_LOCAL_KEYS = 50_000

/** Buckets in this process's memory, for reads whose count need not be exact across processes. */
export const memoryLimitStore = (clock: Clock, maxKeys: number = MAX_LOCAL_KEYS): LimitStore => {
  const buckets = new KeyedBuckets(maxKeys)
  return {
    take: (name, key) => {
      const decision = buckets.take(key, ROUTE_LIMITS[name], clock.now())
      return Promise.resolve(decision.ok ? { ok: true } : refused(decision.retryAfterMs))
    },
    giveBack: (name, key) => {
      buckets.giveBack(key, ROUTE_LIMITS[name])
      return Promise.resolve()
    },
  }
}

/** Routes each class to the store that the table of limits names. */
export const splitLimitStore = (stores: { shared: LimitStore; local: LimitStore }): LimitStore => {
  const storeOf = (name: RouteClass) => {
    const limit: RouteLimit = ROUTE_LIMITS[name]
    return limit.counted === 'in memory' ? stores.local : stores.shared
  }
  return {
    take: (name, key) => storeOf(name).take(name, key),
    giveBack: (name, key) => storeOf(name).giveBack(name, key),
  }
}
