import { isRecord } from './refuse-query.ts'

export const maximumLimit = 100
export const maximumDepth = 2

const clamp = (value: unknown, { low, high, otherwise }: { low: number; high: number; otherwise: number }): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? otherwise : Math.min(high, Math.max(low, Math.trunc(number)))
}

const pageOf = (page: unknown) => clamp(page, { low: 1, high: 1_000_000, otherwise: 1 })
// For Payload a limit of 0 means every row.
const limitOf = (limit: unknown, otherwise: number) =>
  limit === '0' ? maximumLimit : clamp(limit, { low: 1, high: maximumLimit, otherwise })

// Each row of the response includes the rows of its joined collections; `false` omits them.
const clampJoins = (joins: unknown): unknown =>
  isRecord(joins)
    ? Object.fromEntries(
        Object.entries(joins).map(([path, join]) => [
          path,
          isRecord(join) ? { ...join, limit: limitOf(join['limit'], 10), page: pageOf(join['page']) } : join,
        ]),
      )
    : joins

/**
 * The query of an HTTP request with at most 100 rows, and two levels. Only the caller's query is limited: the lookups
 * of Payload and our access rules must stay complete.
 */
export const clampQuery = (query: Record<string, unknown>, isReading: boolean): Record<string, unknown> => ({
  ...query,
  limit: limitOf(query['limit'], isReading ? 10 : maximumLimit),
  depth: clamp(query['depth'], { low: 0, high: maximumDepth, otherwise: 1 }),
  page: pageOf(query['page']),
  pagination: 'true',
  ...('joins' in query ? { joins: clampJoins(query['joins']) } : {}),
})
