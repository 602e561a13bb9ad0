import { createHash } from 'node:crypto'

/**
 * Represents the origins that a page's policy allows. A page revalidated with 304 keeps the policy it was stored with,
 * so its ETag includes those origins: an added node makes the page new.
 */
export const policyMark = (origins: readonly string[]): string =>
  createHash('sha256').update(origins.join(' ')).digest('hex').slice(0, 12)

/** `"abc"` as `"abc-mark"`, weak or strong as before. */
export const withMark = (etag: string, mark: string): string => etag.replace(/"$/, `-${mark}"`)

/** The part of an If-None-Match header with copies of this mark, in Next's form; undefined without any. */
export const askedWithMark = (header: string | undefined, mark: string): string | undefined => {
  const ending = `-${mark}"`
  const tags = (header?.match(/(?:W\/)?"[^"]*"/g) ?? []).filter((tag) => tag.endsWith(ending))
  return tags.length === 0 ? undefined : tags.map((tag) => `${tag.slice(0, -ending.length)}"`).join(', ')
}
