import { QueryClient } from '@tanstack/react-query'

/**
 * Queries of the admin's own pages. Each view refetches, because staff decide by it. Payload's pages have no provider.
 */
export const adminQueries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 0, gcTime: 0, retry: false, networkMode: 'always', refetchOnWindowFocus: false },
  },
})
