'use client'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mayPass } from '@/lib/browser-client/failure.ts'

/** A list that fails to load is logged and skipped (specification section 8): the mark is in the page's timeline. */
const queryCache = () =>
  new QueryCache({
    onError: (_failure, query) => void performance.mark(`did not load: ${query.queryKey.map(String).join(' ')}`),
  })

/**
 * The cache of a tab. A failed list blocks no other; it is requested again on the next visit, and until it succeeds.
 */
export const createClient = (): QueryClient =>
  new QueryClient({
    queryCache: queryCache(),
    defaultOptions: {
      queries: {
        // A temporary failure is retried once at once; afterwards the region reports it and recovers by itself.
        retry: (failures, failure) => failures < 1 && mayPass(failure),
        retryDelay: 500,
        refetchOnWindowFocus: true,
        // Without a connection a call fails visibly. Waiting silently would send an order later, unasked.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })

let browserClient: QueryClient | undefined

/** One cache per tab, shared by the layouts of dashboard and panel. */
const clientForPage = () => {
  if (typeof window === 'undefined') return createClient()
  browserClient ??= createClient()
  return browserClient
}

export const QueryProvider = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={clientForPage()}>{children}</QueryClientProvider>
)
