import { isUuid } from '#domain/kernel/uuid.ts'
import type { FlattenedField } from 'payload'

type Check = (value: string) => boolean

const MAX_TEXT = 1_000
/** PostgreSQL's dates exceed any meaningful query, and JavaScript's exceed PostgreSQL's. */
const YEARS = { first: 0, last: 9_999 }

const isText: Check = (value) => value.length <= MAX_TEXT && !value.includes('\u0000')
/** PostgreSQL refuses a pattern that ends with an unescaped backslash. Payload passes `not_like` on unchanged. */
const isPattern: Check = (value) => (/\\*$/.exec(value)?.[0].length ?? 0) % 2 === 0
const isNumber: Check = (value) => /^[+-]?\d{1,30}(\.\d{1,30})?$/.test(value)
const isFlag: Check = (value) => /^(true|false)$/i.test(value)
const isDate: Check = (value) => {
  const date = new Date(value)
  if (value.length > 64 || Number.isNaN(date.getTime())) return false
  return date.getUTCFullYear() > YEARS.first && date.getUTCFullYear() <= YEARS.last
}
const isOneOf =
  (options: readonly (string | { value: string })[]): Check =>
  (value) =>
    options.some((option) => (typeof option === 'string' ? option : option.value) === value)

const SAME = ['equals', 'not_equals', 'in', 'not_in']
const ORDER = ['greater_than', 'greater_than_equal', 'less_than', 'less_than_equal']
const WORDS = ['like', 'not_like', 'contains']

/** `hasNull`: the word `null` means the absence of a value, and is not sent to the database literally. */
type Rules = { readonly operators: readonly string[]; readonly fits: Check; readonly hasNull?: boolean }

/** The operators of a field, and the form of its values. Other types support only `exists`, or nothing. */
const rulesOf = (field: FlattenedField): Rules | undefined => {
  const contains = 'hasMany' in field && field.hasMany ? ['contains'] : []
  if (field.name === 'id') return { operators: SAME, fits: isUuid, hasNull: true }
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'code':
      return { operators: [...SAME, ...WORDS], fits: isText }
    case 'number':
      return { operators: [...SAME, ...ORDER], fits: isNumber, hasNull: true }
    case 'date':
      return { operators: [...SAME, ...ORDER], fits: isDate, hasNull: true }
    case 'checkbox':
      return { operators: ['equals', 'not_equals'], fits: isFlag }
    case 'select':
    case 'radio':
      return { operators: [...SAME, ...contains], fits: isOneOf(field.options) }
    case 'relationship':
    case 'upload':
      return typeof field.relationTo === 'string'
        ? { operators: [...SAME, ...contains], fits: isUuid, hasNull: true }
        : { operators: [], fits: isUuid }
    case 'json':
    case 'richText':
      return { operators: [], fits: isText }
    default:
      return undefined
  }
}

const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',') : [undefined]
}

/**
 * Whether a condition is valid for a field: its type supports `operator`, and can hold `value` as written in a query
 * string. The database would fail on anything else.
 */
export const conditionFits = (field: FlattenedField, operator: string, value: unknown): boolean => {
  const rules = rulesOf(field)
  if (!rules) return false
  if (operator === 'exists') return typeof value === 'string' && isFlag(value)
  if (!rules.operators.includes(operator)) return false
  if (operator === 'in' || operator === 'not_in')
    return listOf(value).every((each) => typeof each === 'string' && rules.fits(each))
  if (typeof value !== 'string') return false
  if (operator === 'not_like' && !isPattern(value)) return false
  const isAbsence = rules.hasNull === true && value === 'null' && (operator === 'equals' || operator === 'not_equals')
  return isAbsence || rules.fits(value)
}

/** Whether documents can be sorted by this field. */
export const isSortable = (field: FlattenedField): boolean =>
  !('virtual' in field && field.virtual) &&
  rulesOf(field) !== undefined &&
  field.type !== 'json' &&
  field.type !== 'richText'
