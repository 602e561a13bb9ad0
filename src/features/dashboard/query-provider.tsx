'use client'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mayPass } from '@/lib/browser-client/failure.ts'

/** A list that does not load is logged and skipped (specification section 8): the mark stands in the page's timeline. */
const queryCache = () =>
  new QueryCache({
    onError: (_failure, query) => void performance.mark(`did not load: ${query.queryKey.map(String).join(' ')}`),
  })

/** The cache of a tab. One list that fails blocks no other; it is asked for again on the next visit, and until it comes. */
export const createClient = (): QueryClient =>
  new QueryClient({
    queryCache: queryCache(),
    defaultOptions: {
      queries: {
        // What may pass is asked once more at once; afterwards the region says so and heals by itself.
        retry: (failures, failure) => failures < 1 && mayPass(failure),
        retryDelay: 500,
        refetchOnWindowFocus: true,
        // Without a connection a call fails and says so. Waiting in silence would send an order later, unasked.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })

let browserClient: QueryClient | undefined

/** One cache for the tab: dashboard and panel have layouts of their own and share it. */
const clientForPage = () => {
  if (typeof window === 'undefined') return createClient()
  browserClient ??= createClient()
  return browserClient
}

export const QueryProvider = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={clientForPage()}>{children}</QueryClientProvider>
)
