import type * as z from 'zod'

/** The faults of a request field. Each has a sentence in the catalogs under errors.fields. */
export const FIELD_FAULTS = [
  'required',
  'invalid',
  'tooShort',
  'tooLong',
  'tooSmall',
  'tooLarge',
  'notWhole',
  'reserved',
  'mismatch',
  'accept',
] as const
export type FieldFault = (typeof FIELD_FAULTS)[number]

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue

const customFault = (issue: Issue): FieldFault => {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return code === 'reserved' || code === 'mismatch' ? code : 'invalid'
}

const isNumeric = (origin: string): boolean => origin === 'number' || origin === 'int'

const tooSmall = (origin: string, minimum: number | bigint): FieldFault => {
  if (isNumeric(origin)) return 'tooSmall'
  return origin === 'string' && minimum === 1 ? 'required' : 'tooShort'
}

/** The fault of a field that a schema refused. API and forms share it, so that both show the same sentence for the same input. */
export const fieldFault = (issue: Issue): FieldFault => {
  if (issue.code === 'too_small') return tooSmall(issue.origin, issue.minimum)
  if (issue.code === 'too_big') return isNumeric(issue.origin) ? 'tooLarge' : 'tooLong'
  if (issue.code === 'custom') return customFault(issue)
  if (issue.code === 'invalid_value') return issue.values[0] === true ? 'accept' : 'invalid'
  if (issue.code !== 'invalid_type') return 'invalid'
  if (issue.input === undefined) return 'required'
  return issue.expected === 'int' && typeof issue.input === 'number' ? 'notWhole' : 'invalid'
}
