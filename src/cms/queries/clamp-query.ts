import { APIError, type CollectionBeforeOperationHook } from 'payload'

export const maximumLimit = 100
export const maximumDepth = 2

const clamp = (value: unknown, { low, high, otherwise }: { low: number; high: number; otherwise: number }): number => {
  const number = Number(value)
  return value === undefined || value === null || Number.isNaN(number)
    ? otherwise
    : Math.min(high, Math.max(low, number))
}

const pageOf = (page: unknown) => clamp(page, { low: 1, high: 1_000_000, otherwise: 1 })
const limitOf = (limit: unknown) => clamp(limit, { low: 1, high: maximumLimit, otherwise: 10 })

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

// A condition is never a word, and PostgreSQL has no NUL: both would fail in the database.
const refuseNonsense = (where: unknown): void => {
  const isNonsense = where !== undefined && (!isRecord(where) || JSON.stringify(where).includes('\\u0000'))
  if (isNonsense) throw new APIError('The query could not be understood.', 400, undefined, true)
}

const clampJoin = (join: unknown): unknown => {
  if (!isRecord(join)) return join
  refuseNonsense(join['where'])
  return { ...join, limit: limitOf(join['limit']), page: pageOf(join['page']) }
}

// Each row of the answer brings the rows of its joined collections; `false` leaves them out.
const clampJoins = (joins: unknown): unknown =>
  isRecord(joins) ? Object.fromEntries(Object.entries(joins).map(([path, join]) => [path, clampJoin(join)])) : joins

/** Requests over HTTP get at most 100 rows and two levels: a limit of 0 would mean every row. */
export const clampQuery: CollectionBeforeOperationHook = ({ args, req }) => {
  if (req.payloadAPI !== 'REST') return args
  const asked = new Map<string, unknown>(Object.entries(args))
  refuseNonsense(asked.get('where'))
  return Object.assign(args, {
    limit: limitOf(asked.get('limit')),
    depth: clamp(asked.get('depth'), { low: 0, high: maximumDepth, otherwise: 1 }),
    ...('pagination' in args ? { pagination: true } : {}),
    ...(asked.has('page') ? { page: pageOf(asked.get('page')) } : {}),
    ...(asked.has('joins') ? { joins: clampJoins(asked.get('joins')) } : {}),
  })
}
