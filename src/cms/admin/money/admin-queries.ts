import { QueryClient } from '@tanstack/react-query'

/** Queries of the admin's own pages. Each look reads anew: staff decide by what they see. Payload's pages bring no provider. */
export const adminQueries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 0, gcTime: 0, retry: false, networkMode: 'always', refetchOnWindowFocus: false },
  },
})
