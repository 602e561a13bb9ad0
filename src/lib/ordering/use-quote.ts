'use client'
import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { mayPass } from '../browser-client/failure.ts'
import { useSettled } from './use-settled.ts'

/** A price that our systems could not compute is requested again after this time, so that the page recovers with them. */
const healEveryMs = 5_000

type Asking<Request, Quote> = {
  /** The prefix of the query key; the request is added to it. */
  queryKey: QueryKey
  /** Undefined while there is nothing to price. */
  request: Request | undefined
  /** Anything else that changes the price. */
  besides?: string | number | undefined
  ask: (request: Request, signal: AbortSignal) => Promise<Quote>
}

export type QuoteState<Quote> = {
  /** The last price. While `isCurrent` is false it belongs to an earlier choice and is greyed. */
  readonly quote: Quote | undefined
  readonly isCurrent: boolean
  /** Why the choice has no price, or null. */
  readonly failure: unknown
  readonly retry: () => void
}

/**
 * The price of a choice, requested once the choice settles. An overtaken request is aborted and its response is never shown. The last
 * price stays on the page while another one loads and if it is refused.
 */
export const useQuote = <Request, Quote>({ queryKey, request, besides, ask }: Asking<Request, Quote>) => {
  const wanted = { request, besides }
  const settled = useSettled(wanted)
  const isRested = JSON.stringify(settled) === JSON.stringify(wanted)
  const query = useQuery({
    queryKey: [...queryKey, settled],
    queryFn: ({ signal }) => {
      if (settled.request === undefined) throw new Error('There is nothing to price')
      return ask(settled.request, signal)
    },
    enabled: isRested && request !== undefined,
    staleTime: 15_000,
    retry: false,
    refetchInterval: ({ state }) => (mayPass(state.error) ? healEveryMs : false),
  })
  const [last, setLast] = useState(query.data)
  if (query.data !== undefined && query.data !== last) setLast(query.data)
  const isAnswered = isRested && !query.isFetching
  return {
    /** For a region around the price: a refusal takes its place. */
    query: { ...query, data: query.data ?? (query.isError ? undefined : last) },
    quote: query.data ?? last,
    isCurrent: isAnswered && query.isSuccess,
    failure: isAnswered ? query.error : null,
    retry: () => void query.refetch(),
  }
}
