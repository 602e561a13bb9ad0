import type * as z from 'zod'
import { fieldFault } from '#contracts/http/field-fault.ts'
import { IdempotencyKey } from '#contracts/routes/routes.ts'
import type { ApiRoute } from '#contracts/routes/routes.ts'
import { ApiError } from '../lib/site/api-error.ts'
import { readFile, readJson } from '../lib/site/request-body.ts'
import type { ApiContext } from './api-call.ts'

/** Parses a part of a request, or throws VALIDATION with the first fault of each field. */
export const parsePart = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= fieldFault(issue)
  throw new ApiError('VALIDATION', { fields })
}

const pathOf = (schema: z.ZodType, c: ApiContext): unknown => {
  const parsed = schema.safeParse(c.req.param())
  // An impossible id is answered like an unknown one.
  if (!parsed.success) throw new ApiError('NOT_FOUND')
  return parsed.data
}

const idempotencyKeyOf = (row: ApiRoute, headers: Headers): string | undefined => {
  if (row.idempotency === undefined) return undefined
  const value = headers.get('idempotency-key')
  if (value === null && row.idempotency === 'optional') return undefined
  if (value === null) throw new ApiError('IDEMPOTENCY_KEY_MISSING')
  const parsed = IdempotencyKey.safeParse(value)
  if (!parsed.success) throw new ApiError('BAD_REQUEST')
  return parsed.data
}

const bodyOf = (row: ApiRoute, request: Request): Promise<unknown> =>
  row.takes === 'file' ? readFile(request, row.maxBytes) : readJson(request, row.maxBytes)

/** Reads and parses path, query, body and key of a call. This is the only validation on the site's side. */
export const readInput = async (row: ApiRoute, c: ApiContext) => {
  const request = c.req.raw
  return {
    path: row.path ? pathOf(row.path, c) : undefined,
    query: row.query ? parsePart(row.query, Object.fromEntries(new URL(request.url).searchParams)) : undefined,
    input: row.input ? parsePart(row.input, await bodyOf(row, request)) : undefined,
    idempotencyKey: idempotencyKeyOf(row, request.headers),
  }
}
