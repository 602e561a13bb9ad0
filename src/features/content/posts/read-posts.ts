import { unstable_cache } from 'next/cache'
import { POST_BOUNDS, type PostKind, type PostTag } from '#contracts/posts/posts.ts'
import { isAddressName, isDocumentId } from '#domain/content/address-name.ts'
import { picturesIn } from '#domain/content/post-text.ts'
import { cms } from '@/cms/start/payload.ts'
import type { Locale } from '@/i18n/locales.ts'
import { orAtBuild } from '@/lib/site/content-at-build.ts'
import { pictureOf, postLineOf, type Post, type PostLine, type PostNeighbour, type PostRow } from './post-view.ts'

type Database = Pick<Awaited<ReturnType<typeof cms>>['db']['pool'], 'query'>

/**
 * A post is written in a language if it has all that its page needs. There is no fallback to another language. An editor that was opened
 * and left stores a text of one empty paragraph.
 */
const WRITTEN = `l.title <> '' AND l.slug <> '' AND l.lead <> ''
  AND coalesce(jsonb_path_exists(l.body, '$.root.children[*] ? (@.type != "paragraph" || exists(@.children[*]))'), false)`

/** A picture that is not described in a language has the description of the content's default language, marked as such. */
const ALT = `coalesce(nullif(ml.alt, ''), mh.alt)`
const ALT_LANGUAGE = `CASE WHEN coalesce(ml.alt, '') = '' THEN 'hu' END`

const LINE = `SELECT p.id, p.kind, l.slug, l.title, l.lead, p.author, coalesce(p.published_at, p.created_at) AS published_at,
  p.updated_at, p.created_at, p.drawing, l.body, l.meta_title, l.meta_description,
  (SELECT array_agg(t.value::text ORDER BY t."order") FROM public.posts_tags t WHERE t.parent_id = p.id) AS tags,
  (SELECT jsonb_build_object('id', m.id, 'filename', m.filename, 'alt', ${ALT}, 'alt_language', ${ALT_LANGUAGE}, 'width', m.width, 'height', m.height)
    FROM public.media m LEFT JOIN public.media_locales ml ON ml._parent_id = m.id AND ml._locale = $1::public._locales
    LEFT JOIN public.media_locales mh ON mh._parent_id = m.id AND mh._locale = 'hu' WHERE m.id = p.picture_id) AS picture
  FROM public.posts p JOIN public.posts_locales l ON l._parent_id = p.id AND l._locale = $1::public._locales
  WHERE p._status = 'published' AND ${WRITTEN}`
const ORDER = 'coalesce(p.published_at, p.created_at) DESC, p.id DESC'

export type PostFilter = {
  readonly kind: PostKind
  readonly tag?: PostTag
  readonly page: number
  readonly limit?: number
}
export type PostPage = { readonly posts: readonly PostLine[]; readonly pages: number }

/** A page of the published posts of a language, the newest first. */
export const queryPosts = async (
  db: Database,
  locale: Locale,
  { kind, tag, page, limit = POST_BOUNDS.perPage }: PostFilter,
): Promise<PostPage> => {
  const ofTag = `AND ($3::text IS NULL OR EXISTS (SELECT FROM public.posts_tags t WHERE t.parent_id = p.id AND t.value::text = $3))`
  const kindAndTag = [locale, kind, tag ?? null]
  const [{ rows: counted }, { rows }] = await Promise.all([
    db.query<{ count: string }>(
      `SELECT count(*) FROM public.posts p JOIN public.posts_locales l ON l._parent_id = p.id AND l._locale = $1::public._locales
       WHERE p._status = 'published' AND ${WRITTEN} AND p.kind::text = $2 ${ofTag}`,
      kindAndTag,
    ),
    db.query<PostRow>(`${LINE} AND p.kind::text = $2 ${ofTag} ORDER BY ${ORDER} LIMIT $4 OFFSET $5`, [
      ...kindAndTag,
      limit,
      (page - 1) * limit,
    ]),
  ])
  return { posts: rows.map(postLineOf), pages: Math.max(1, Math.ceil(Number(counted[0]?.count ?? 0) / limit)) }
}

/** A published post by an address of it: its name, an earlier one, one of another language, or its id. */
export type PostAddress = { readonly id: string; readonly slug: string }

/**
 * Finds the post of an address in a language, and its name there. The name of today in this language comes first, then an earlier one,
 * then those of other languages. Answers from an index and is not cached: anyone may invent any number of addresses.
 */
export const queryAddress = async (db: Database, locale: Locale, name: string): Promise<PostAddress | null> => {
  if (!isAddressName(name) && !isDocumentId(name)) return null
  const { rows } = await db.query<PostAddress>(
    `SELECT p.id, l.slug FROM (
       SELECT s._parent_id AS id, CASE s._locale WHEN $1::public._locales THEN 0 ELSE 2 END AS place FROM public.posts_locales s WHERE s.slug = $2
       UNION ALL SELECT a.post_id, CASE a.locale WHEN $1::public._locales THEN 1 ELSE 3 END FROM cms_api.post_addresses a
         WHERE a.locale = ANY (enum_range(NULL::public._locales)) AND a.slug = $2
       UNION ALL SELECT $3::uuid, 0 WHERE $3 IS NOT NULL) found
     JOIN public.posts p ON p.id = found.id AND p._status = 'published'
     JOIN public.posts_locales l ON l._parent_id = p.id AND l._locale = $1::public._locales AND ${WRITTEN}
     ORDER BY found.place, p.id LIMIT 1`,
    [locale, name, isDocumentId(name) ? name : null],
  )
  return rows[0] ?? null
}

const ways = { older: ['<', 'DESC'], newer: ['>', 'ASC'] } as const

const neighbour = async (
  db: Database,
  { locale, row, way }: { locale: Locale; row: PostRow; way: keyof typeof ways },
): Promise<PostNeighbour | null> => {
  const [sign, order] = ways[way]
  const { rows } = await db.query<PostNeighbour>(
    `SELECT l.slug, l.title FROM public.posts p JOIN public.posts_locales l ON l._parent_id = p.id AND l._locale = $1::public._locales
     WHERE p._status = 'published' AND ${WRITTEN} AND p.kind::text = $2
       AND (coalesce(p.published_at, p.created_at), p.id) ${sign} ($3::timestamptz, $4::uuid)
     ORDER BY coalesce(p.published_at, p.created_at) ${order}, p.id ${order} LIMIT 1`,
    [locale, row.kind, row.published_at, row.id],
  )
  return rows[0] ?? null
}

/** A published post in a language with everything that its page shows. */
export const queryPost = async (db: Database, locale: Locale, id: string): Promise<Post | null> => {
  const { rows } = await db.query<PostRow>(`${LINE} AND p.id = $2::uuid`, [locale, id])
  const [row] = rows
  if (row === undefined) return null
  const [written, pictures, related, older, newer] = await Promise.all([
    db.query<{ locale: Locale; slug: string }>(
      `SELECT l._locale AS locale, l.slug FROM public.posts_locales l WHERE l._parent_id = $1 AND ${WRITTEN}`,
      [id],
    ),
    db.query<NonNullable<PostRow['picture']>>(
      `SELECT m.id, m.filename, ${ALT} AS alt, ${ALT_LANGUAGE} AS alt_language, m.width, m.height FROM public.media m
       LEFT JOIN public.media_locales ml ON ml._parent_id = m.id AND ml._locale = $1::public._locales
       LEFT JOIN public.media_locales mh ON mh._parent_id = m.id AND mh._locale = 'hu' WHERE m.id::text = ANY ($2)`,
      [locale, picturesIn(row.body)],
    ),
    db.query<PostRow>(
      `${LINE} AND p.kind::text = $2 AND p.id <> $3::uuid AND EXISTS (SELECT FROM public.posts_tags t WHERE t.parent_id = p.id AND t.value::text = ANY ($4))
       ORDER BY (SELECT count(*) FROM public.posts_tags t WHERE t.parent_id = p.id AND t.value::text = ANY ($4)) DESC, ${ORDER} LIMIT 3`,
      [locale, row.kind, id, row.tags ?? []],
    ),
    neighbour(db, { locale, row, way: 'older' }),
    neighbour(db, { locale, row, way: 'newer' }),
  ])
  return {
    ...postLineOf(row),
    body: row.body,
    metaTitle: row.meta_title,
    metaDescription: row.meta_description,
    slugs: Object.fromEntries(written.rows.map((one) => [one.locale, one.slug])),
    pictures: pictures.rows.map(pictureOf),
    related: related.rows.map(postLineOf),
    older,
    newer,
  }
}

export type PostInSitemap = { readonly updatedAt: string; readonly slugs: Readonly<Partial<Record<Locale, string>>> }

/** The newest ten thousand published posts with their addresses: a site map has at most fifty thousand, and each has three languages. */
export const queryAddresses = async (db: Database): Promise<readonly PostInSitemap[]> => {
  const { rows } = await db.query<{ updated_at: Date; slugs: PostInSitemap['slugs'] }>(
    `SELECT p.updated_at, jsonb_object_agg(l._locale, l.slug) AS slugs FROM public.posts p
     JOIN public.posts_locales l ON l._parent_id = p.id WHERE p._status = 'published' AND ${WRITTEN}
     GROUP BY p.id ORDER BY ${ORDER} LIMIT 10000`,
  )
  return rows.map((row) => ({ updatedAt: row.updated_at.toISOString(), slugs: row.slugs }))
}

const TAGS = { tags: ['posts', 'media'] }
const pool = async (): Promise<Database> => (await cms()).db.pool

const keptPage = unstable_cache(
  async (locale: Locale, filter: PostFilter) => queryPosts(await pool(), locale, filter),
  ['post-pages'],
  TAGS,
)
const keptPost = unstable_cache(
  async (locale: Locale, id: string) => queryPost(await pool(), locale, id),
  ['post'],
  TAGS,
)

/** A page of posts; none while a build has no database. */
export const postPage = (locale: Locale, filter: PostFilter): Promise<PostPage> =>
  orAtBuild(() => keptPage(locale, filter), { posts: [], pages: 1 })

/** The address of a post, or null. */
export const postAddress = async (locale: Locale, name: string): Promise<PostAddress | null> =>
  queryAddress(await pool(), locale, name)

/** A post whose address was found: only such ids are asked for, so the cache is bounded by the posts. */
export const publishedPost = (locale: Locale, { id }: PostAddress): Promise<Post | null> => keptPost(locale, id)

/** The addresses of the posts for the site map, which robots and others ask for at any time. */
export const postAddresses = unstable_cache(async () => queryAddresses(await pool()), ['post-addresses'], TAGS)
