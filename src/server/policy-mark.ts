import { createHash } from 'node:crypto'

/**
 * Stands for the origins that a page's policy lets it connect to. A stored page that is confirmed by 304 keeps the policy
 * that it was stored with, so its ETag says which origins those were: a node that was added since makes the page new.
 */
export const policyMark = (origins: readonly string[]): string =>
  createHash('sha256').update(origins.join(' ')).digest('hex').slice(0, 12)

/** `"abc"` as `"abc-mark"`, weak or strong as it was. */
export const withMark = (etag: string, mark: string): string => etag.replace(/"$/, `-${mark}"`)

/** The part of an If-None-Match header that names copies of this mark, as Next made them; undefined when there is none. */
export const askedWithMark = (header: string | undefined, mark: string): string | undefined => {
  const ending = `-${mark}"`
  const tags = (header?.match(/(?:W\/)?"[^"]*"/g) ?? []).filter((tag) => tag.endsWith(ending))
  return tags.length === 0 ? undefined : tags.map((tag) => `${tag.slice(0, -ending.length)}"`).join(', ')
}
