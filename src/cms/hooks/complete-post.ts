import type { CollectionBeforeChangeHook, FieldHook } from 'payload'
import { POST_BOUNDS } from '#contracts/posts/posts.ts'
import { addressNameOf } from '#domain/content/address-name.ts'
import { publicationDate } from '#domain/content/posts.ts'

/** A post without a name in its address gets it from its title. */
export const nameFromTitle: FieldHook = ({ value, data, siblingData }) => {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  const title: unknown = siblingData['title'] ?? data?.['title']
  return typeof title === 'string' && title !== '' ? addressNameOf(title, POST_BOUNDS.slug) : value
}

/** Keeps the date of a post, or gives a published one its first. */
export const keepPublicationDate: CollectionBeforeChangeHook = ({ data, originalDoc }) => {
  const given = (data['publishedAt'] ?? null) as string | null
  const before = (originalDoc?.publishedAt ?? null) as string | null
  const date = publicationDate({ given, before, isPublished: data['_status'] === 'published' }, Date.now())
  return date === given ? data : { ...data, publishedAt: date }
}
