import type { FlattenedField, SanitizedConfig } from 'payload'
import { isRecord } from './refuse-query.ts'

/** The target of a query's path. `isMany`: one document has several values there. */
export type FoundField = { readonly field: FlattenedField; readonly isMany: boolean }

const MAX_SEGMENTS = 8
/**
 * Payload does not await its check of a path with two relations: its refusal would end the program as an unhandled
 * rejection.
 */
const MAX_RELATIONS = 1

const collectionFields = (config: SanitizedConfig, slug: unknown): FlattenedField[] | undefined =>
  config.collections.find((collection) => collection.slug === slug)?.flattenedFields

/** The fields below a field: its own, or those of the documents that it refers to. */
const below = (config: SanitizedConfig, field: FlattenedField): FlattenedField[] | undefined => {
  if (field.type === 'relationship' || field.type === 'upload') return collectionFields(config, field.relationTo)
  if (field.type === 'join') return collectionFields(config, field.collection)
  return 'flattenedFields' in field ? field.flattenedFields : undefined
}

const isRelation = (field: FlattenedField): boolean =>
  field.type === 'relationship' || field.type === 'upload' || field.type === 'join'

const isManyAt = (field: FlattenedField): boolean =>
  field.type === 'array' || field.type === 'join' || ('hasMany' in field && field.hasMany === true)

const idField = { name: 'id', type: 'text' } as FlattenedField

/** Finds the field at a path such as `service.name` or `name.hu`, or undefined. */
export const fieldAt = (
  config: SanitizedConfig,
  fields: readonly FlattenedField[],
  path: string,
): FoundField | undefined => {
  const segments = path.replaceAll('__', '.').split('.')
  if (segments.length > MAX_SEGMENTS) return undefined
  const codes = isRecord(config.localization) ? config.localization.localeCodes : []
  let current: readonly FlattenedField[] | undefined = fields
  let found: FoundField | undefined
  let relations = 0
  for (const [at, segment] of segments.entries()) {
    const isLocale = at > 0 && Array.isArray(codes) && codes.includes(segment)
    const name = segment === '_id' ? 'id' : segment
    const field: FlattenedField | undefined = current?.find((each) => each.name === name)
    if (field) {
      if (found && isRelation(found.field)) relations += 1
      if (relations > MAX_RELATIONS) return undefined
      found = { field, isMany: (found?.isMany ?? false) || isManyAt(field) }
      current = below(config, field)
    } else if (current && name === 'id' && relations < MAX_RELATIONS) {
      found = { field: idField, isMany: found?.isMany ?? false }
      current = undefined
    } else if (!isLocale || !found || !('localized' in found.field && found.field.localized)) return undefined
  }
  return found
}
