import type { CollectionBeforeOperationHook } from 'payload'

export const maximumLimit = 100
export const maximumDepth = 2

const clamp = (value: unknown, { low, high, otherwise }: { low: number; high: number; otherwise: number }): number => {
  const number = Number(value)
  return value === undefined || value === null || Number.isNaN(number)
    ? otherwise
    : Math.min(high, Math.max(low, number))
}

/** Requests over HTTP get at most 100 rows and two levels: a limit of 0 would mean every row. */
export const clampQuery: CollectionBeforeOperationHook = ({ args, req }) => {
  if (req.payloadAPI !== 'REST') return args
  const asked = new Map<string, unknown>(Object.entries(args))
  return Object.assign(args, {
    limit: clamp(asked.get('limit'), { low: 1, high: maximumLimit, otherwise: 10 }),
    depth: clamp(asked.get('depth'), { low: 0, high: maximumDepth, otherwise: 1 }),
    ...('pagination' in args ? { pagination: true } : {}),
  })
}
