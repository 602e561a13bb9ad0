import { QueryClient } from '@tanstack/react-query'
import type { InvalidateOptions, InvalidateQueryFilters, QueryKey } from '@tanstack/react-query'

/**
 * A cache that also reads those lists again whose first reading was on its way when something changed: the node or site
 * may have read them before the change. TanStack Query repeats a reading only where an earlier one has arrived. The first
 * one is shown meanwhile, so that frequent changes cannot keep a list from appearing.
 */
export class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const isFirst = (query: { state: { data: unknown; fetchStatus: string } }): boolean =>
      query.state.data === undefined && query.state.fetchStatus === 'fetching'
    const firstReadings = filters?.refetchType === 'none' ? [] : this.getQueryCache().findAll(filters).filter(isFirst)
    await super.invalidateQueries(filters, options)
    if (firstReadings.length === 0) return
    await this.refetchQueries({ type: 'active', predicate: (query) => firstReadings.includes(query) }, options)
  }
}
