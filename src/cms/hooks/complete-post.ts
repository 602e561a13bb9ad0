import type { CollectionBeforeChangeHook, FieldHook } from 'payload'
import { POST_BOUNDS } from '#contracts/posts/posts.ts'
import { addressNameOf } from '#domain/content/address-name.ts'

/** A post without a name in its address gets it from its title. */
export const nameFromTitle: FieldHook = ({ value, data, siblingData }) => {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  const title: unknown = siblingData['title'] ?? data?.['title']
  return typeof title === 'string' && title !== '' ? addressNameOf(title, POST_BOUNDS.slug) : value
}

/** The day of the first publication stays the post's date, unless an editor writes another. */
export const keepPublicationDate: CollectionBeforeChangeHook = ({ data, originalDoc }) => {
  if (data['_status'] !== 'published') return data
  const known: unknown = 'publishedAt' in data ? data['publishedAt'] : originalDoc?.publishedAt
  return known ? data : { ...data, publishedAt: new Date().toISOString() }
}
