import { postTagOf, type PostCover, type PostKind, type PostTag } from '#contracts/posts/posts.ts'
import { wasUpdated } from '#domain/content/posts.ts'
import { readingMinutes } from '#domain/content/reading-time.ts'
import { wordsOf } from '#domain/content/post-text.ts'
import type { Locale } from '@/i18n/locales.ts'

export type PostPicture = {
  readonly id: string
  readonly path: string
  readonly alt: string
  readonly width: number
  readonly height: number
}
export type PostLine = {
  readonly id: string
  readonly kind: PostKind
  readonly slug: string
  readonly title: string
  readonly lead: string
  readonly author: string
  readonly tags: readonly PostTag[]
  readonly publishedAt: string
  readonly updatedAt: string
  /** The text was changed so long after its publication that readers are told. */
  readonly isUpdated: boolean
  readonly minutes: number
  readonly drawing: PostCover | null
  readonly picture: PostPicture | null
}
export type PostNeighbour = Pick<PostLine, 'slug' | 'title'>
export type Post = PostLine & {
  readonly body: unknown
  readonly metaTitle: string | null
  readonly metaDescription: string | null
  /** Its name in the address in each language in which it is written. */
  readonly slugs: Readonly<Partial<Record<Locale, string>>>
  readonly pictures: readonly PostPicture[]
  readonly older: PostNeighbour | null
  readonly newer: PostNeighbour | null
  readonly related: readonly PostLine[]
}

/** A row of the statements in `read-posts.ts`. */
export type PostRow = {
  id: string
  kind: PostKind
  slug: string
  title: string
  lead: string
  author: string | null
  published_at: Date
  updated_at: Date
  created_at: Date
  drawing: PostCover | null
  body: unknown
  meta_title: string | null
  meta_description: string | null
  tags: string[] | null
  picture: { id: string; filename: string; alt: string | null; width: number; height: number } | null
}

/** The address of a picture of the library. */
export const pictureOf = (media: NonNullable<PostRow['picture']>): PostPicture => ({
  id: media.id,
  path: `/api/cms/media/file/${encodeURIComponent(media.filename)}`,
  alt: media.alt ?? '',
  width: Number(media.width),
  height: Number(media.height),
})

/** A row as a line of a list. */
export const postLineOf = (row: PostRow): PostLine => ({
  id: row.id,
  kind: row.kind,
  slug: row.slug,
  title: row.title,
  lead: row.lead,
  author: row.author ?? '',
  tags: (row.tags ?? []).flatMap((tag) => postTagOf(tag) ?? []),
  publishedAt: row.published_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  isUpdated: wasUpdated(row),
  minutes: readingMinutes(`${row.lead} ${wordsOf(row.body)}`),
  drawing: row.drawing,
  picture: row.picture === null ? null : pictureOf(row.picture),
})
