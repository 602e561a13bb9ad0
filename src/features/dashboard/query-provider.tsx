'use client'
import { QueryCache, QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { mayPass } from '@/lib/browser-client/failure.ts'
import { FreshQueryClient } from '@/lib/browser-client/fresh-query-client.ts'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { seeing } from '@/lib/seeing/seeing.ts'
import { useSeeing } from '@/lib/servers/use-seeing.ts'
import { panelPlace } from './panel-path.ts'

/** A list that fails to load is logged and skipped (specification section 8): the mark is in the page's timeline. */
const queryCache = () =>
  new QueryCache({
    onError: (_failure, query) => void performance.mark(`did not load: ${query.queryKey.map(String).join(' ')}`),
  })

/**
 * The cache of a tab. A failed list blocks no other; it is requested again on the next visit, and until it succeeds.
 */
export const createClient = (): QueryClient =>
  new FreshQueryClient({
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

/** As whom the tab looks, which ends where the panel of that server is left. */
const useSeenHere = () => {
  const seen = useSeeing()
  const isThere = panelPlace(usePagePath())?.id === seen?.serverId
  useEffect(() => {
    if (seen !== null && !isThere) seeing.stop()
  }, [seen, isThere])
  return seen
}

/** A view as a collaborator has a cache of its own, so that neither panel shows data that the other one has read. */
export const QueryProvider = ({ children }: { children: ReactNode }) => {
  const seen = useSeenHere()
  const client = useMemo(() => (seen === null ? clientForPage() : createClient()), [seen])
  return (
    <QueryClientProvider key={seen?.id ?? 'own'} client={client}>
      {children}
    </QueryClientProvider>
  )
}
