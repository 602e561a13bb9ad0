import type * as z from 'zod'
import { IdempotencyKey } from '#contracts/routes/routes.ts'
import type { ApiRoute } from '#contracts/routes/routes.ts'
import { ApiError } from '../lib/site/api-error.ts'
import { readFile, readJson } from '../lib/site/request-body.ts'
import type { ApiContext } from './api-call.ts'
import type { FieldCode } from './error-message.ts'

type Issue = z.core.$ZodIssue

const customCode = (issue: Issue): FieldCode => {
  const code: unknown = 'params' in issue ? issue.params?.['code'] : undefined
  return code === 'reserved' || code === 'mismatch' ? code : 'invalid'
}

const isNumeric = (origin: string): boolean => origin === 'number' || origin === 'int'

const tooSmall = (issue: z.core.$ZodIssueTooSmall): FieldCode => {
  if (isNumeric(issue.origin)) return 'tooSmall'
  return issue.origin === 'string' && issue.minimum === 1 ? 'required' : 'tooShort'
}

const fieldCode = (issue: Issue): FieldCode => {
  if (issue.code === 'too_small') return tooSmall(issue)
  if (issue.code === 'too_big') return isNumeric(issue.origin) ? 'tooLarge' : 'tooLong'
  if (issue.code === 'custom') return customCode(issue)
  if (issue.code === 'invalid_value') return issue.values[0] === true ? 'accept' : 'invalid'
  if (issue.code !== 'invalid_type') return 'invalid'
  if (issue.input === undefined) return 'required'
  return issue.expected === 'int' && typeof issue.input === 'number' ? 'notWhole' : 'invalid'
}

/** Parses a part of a request, or throws VALIDATION with the first fault of each field. */
export const parsePart = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= fieldCode(issue)
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
