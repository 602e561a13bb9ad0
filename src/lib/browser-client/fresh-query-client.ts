import { QueryClient } from '@tanstack/react-query'
import type { InvalidateOptions, InvalidateQueryFilters, QueryKey } from '@tanstack/react-query'

type Reading = {
  readonly state: { readonly data: unknown; readonly fetchStatus: string }
  readonly promise: Promise<unknown> | undefined
  invalidate(): void
}

/** A reading that began before a change may be older than it. TanStack Query repeats one only where an earlier one has arrived. */
const isFirstReading = ({ state }: Reading): boolean => state.data === undefined && state.fetchStatus === 'fetching'

/**
 * A cache that also reads those lists again whose first reading was on its way when something changed. The first reading is shown
 * meanwhile, however often something changes, and all changes during it lead to one more. A caller with `cancelRefetch: false` is content
 * with the reading that is on its way.
 */
export class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const first: readonly Reading[] =
      options?.cancelRefetch === false ? [] : this.getQueryCache().findAll(filters).filter(isFirstReading)
    const invalidated = super.invalidateQueries(filters, options)
    if (first.length === 0) return invalidated
    const arrived = Promise.allSettled(first.map(({ promise }) => promise)).then(() => {
      const read = first.filter(({ state }) => state.data !== undefined)
      // Also for a reader who has left meanwhile, and comes back.
      for (const query of read) query.invalidate()
      return read
    })
    await invalidated
    if (filters?.refetchType === 'none') return undefined
    const read: readonly unknown[] = await arrived
    const type = filters?.refetchType ?? filters?.type ?? 'active'
    return this.refetchQueries(
      { type, predicate: (query) => read.includes(query) },
      { ...options, cancelRefetch: false },
    )
  }
}
