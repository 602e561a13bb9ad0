import { FreshQueryClient } from '@/lib/browser-client/fresh-query-client.ts'

/**
 * Queries of the admin's own pages. Each view refetches, because staff decide by it. Payload's pages have no provider.
 */
export const adminQueries = new FreshQueryClient({
  defaultOptions: {
    queries: { staleTime: 0, gcTime: 0, retry: false, networkMode: 'always', refetchOnWindowFocus: false },
  },
})
