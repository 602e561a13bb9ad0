import { MAX_ITEMS } from '#contracts/primitives.ts'

/** The Link header to the next page of a list, which keeps its other filters; nothing when the list has ended. */
export const nextLink = (
  path: string,
  {
    limit = MAX_ITEMS,
    before: _before,
    ...filters
  }: Readonly<Record<string, unknown>> & { limit?: number | undefined },
  items: readonly { id: string }[],
): Record<string, string> => {
  const last = items.at(-1)
  if (items.length < limit || !last) return {}
  const query = new URLSearchParams({ limit: String(limit), before: last.id })
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.append(name, String(value))
  return { link: `<${path}?${query.toString()}>; rel="next"` }
}
