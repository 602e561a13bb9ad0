import type { FlattenedField, SanitizedConfig } from 'payload'
import { conditionFits, isSortable } from './condition-fits.ts'
import { fieldAt } from './field-at.ts'
import { isRecord, refuseQuery } from './refuse-query.ts'

/** The rows of a request. A global has no rows, so its fields cannot be queried. */
export type QuerySubject = { readonly config: SanitizedConfig; readonly fields: readonly FlattenedField[] | undefined }

const MAX_CONDITIONS = 200
const MAX_SORTS = 5

const refuseUnfitPath = (subject: QuerySubject, path: string, operators: unknown): void => {
  const found = subject.fields && fieldAt(subject.config, subject.fields, path)
  if (!found) return refuseQuery('a condition names a field that does not exist')
  if (!isRecord(operators)) return refuseQuery(`the condition on ${path} has no operator`)
  for (const [operator, value] of Object.entries(operators))
    if (!conditionFits(found.field, operator, value)) refuseQuery(`the condition on ${path} does not fit the field`)
}

const refuseUnfitWhere = (subject: QuerySubject, where: unknown, budget: { left: number }): void => {
  if (!isRecord(where)) return refuseQuery('a condition is not one')
  for (const [path, condition] of Object.entries(where)) {
    budget.left -= 1
    if (budget.left < 0) refuseQuery('there are too many conditions')
    if (path === 'and' || path === 'or') {
      if (!Array.isArray(condition)) return refuseQuery(`${path} needs a list`)
      for (const each of condition) refuseUnfitWhere(subject, each, budget)
    } else refuseUnfitPath(subject, path, condition)
  }
}

const refuseUnfitSort = ({ config, fields }: QuerySubject, sort: unknown): void => {
  const paths = typeof sort === 'string' ? sort.split(',') : sort
  if (!Array.isArray(paths) || paths.length > MAX_SORTS) return refuseQuery('the order is not one')
  for (const path of paths) {
    if (typeof path !== 'string') return refuseQuery('the order is not one')
    const found = fields && fieldAt(config, fields, path.trim().replace(/^-/, ''))
    if (!found || found.isMany || !isSortable(found.field)) refuseQuery('there is no order by such a field')
  }
}

/** A tree whose leaves are yes or no. */
const refuseUnfitSelect = (select: unknown): void => {
  if (select === 'true' || select === 'false') return
  if (!isRecord(select)) return refuseQuery('what is selected is not a tree of true and false')
  for (const each of Object.values(select)) refuseUnfitSelect(each)
}

const refuseUnfitPopulate = ({ config }: QuerySubject, populate: unknown): void => {
  if (!isRecord(populate)) return refuseQuery('what is populated is not a tree')
  for (const [slug, select] of Object.entries(populate)) {
    if (!config.collections.some((collection) => collection.slug === slug)) refuseQuery('there is no such collection')
    if (!isRecord(select)) refuseQuery('what is populated is not a tree')
    refuseUnfitSelect(select)
  }
}

const refuseUnfitJoins = ({ config, fields }: QuerySubject, joins: unknown): void => {
  if (!isRecord(joins)) return refuseQuery('what is joined is not a tree')
  for (const [path, join] of Object.entries(joins)) {
    const field = fields && fieldAt(config, fields, path)?.field
    if (field?.type !== 'join' || typeof field.collection !== 'string') return refuseQuery('nothing is joined there')
    const joined = config.collections.find(({ slug }) => slug === field.collection)?.flattenedFields
    if (join === 'false') continue
    if (!isRecord(join)) return refuseQuery('a join is not one')
    const subject = { config, fields: joined }
    if (join['where'] !== undefined) refuseUnfitWhere(subject, join['where'], { left: MAX_CONDITIONS })
    if (join['sort'] !== undefined) refuseUnfitSort(subject, join['sort'])
  }
}

const without = (query: Record<string, unknown>, name: string): unknown =>
  query[name] === '' ? undefined : query[name]

/**
 * Refuses, with 400 and a sentence, a query that the database could not answer: operators and values that do not fit
 * the field, unsortable fields, trees that are not objects. Payload's access then decides which fields an account may
 * query.
 */
export const refuseUnfitQuery = (query: Record<string, unknown>, subject: QuerySubject): void => {
  // It would replace the stored document, and is parsed as JSON without catching errors.
  if ('data' in query) refuseQuery('a request that reads brings no data')
  const [where, sort, select] = [without(query, 'where'), without(query, 'sort'), without(query, 'select')]
  const [populate, joins] = [without(query, 'populate'), without(query, 'joins')]
  if (where !== undefined) refuseUnfitWhere(subject, where, { left: MAX_CONDITIONS })
  if (sort !== undefined) refuseUnfitSort(subject, sort)
  if (select !== undefined) {
    if (!isRecord(select)) refuseQuery('what is selected is not a tree of true and false')
    refuseUnfitSelect(select)
  }
  if (populate !== undefined) refuseUnfitPopulate(subject, populate)
  if (joins !== undefined) refuseUnfitJoins(subject, joins)
}
