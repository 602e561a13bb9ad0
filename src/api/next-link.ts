import { MAX_ITEMS } from '#contracts/primitives.ts'

/** The Link header to the next page of a list; undefined when the list has ended. */
export const nextLink = (
  path: string,
  query: { limit?: number | undefined },
  items: readonly { id: string }[],
): Record<string, string> => {
  const limit = query.limit ?? MAX_ITEMS
  const last = items.at(-1)
  if (items.length < limit || !last) return {}
  return { link: `<${path}?limit=${limit}&before=${encodeURIComponent(last.id)}>; rel="next"` }
}
