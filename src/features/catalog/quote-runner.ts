import type { Quote, QuoteRequest } from '#contracts/http/order.ts'
import type { Timers } from '@/features/realtime/socket.ts'

export const quoteAfterMs = 200

export type QuoteState = {
  /** The last price; while `isCurrent` is false it belongs to an older choice and is greyed. */
  readonly quote: Quote | null
  readonly isCurrent: boolean
  readonly failure: unknown
}

type Deps = {
  ask: (request: QuoteRequest, signal: AbortSignal) => Promise<Quote>
  timers: Timers
  onState: (state: QuoteState) => void
}

export type QuoteRunner = { request: (request: QuoteRequest) => void; retry: () => void; close: () => void }

/** Requests a price 200 ms after the last choice; a response to an older choice is dropped. */
export const createQuoteRunner = (deps: Deps): QuoteRunner => {
  let state: QuoteState = { quote: null, isCurrent: false, failure: null }
  let wanted: QuoteRequest | null = null
  let timer: number | null = null
  let flight: AbortController | null = null

  const set = (change: Partial<QuoteState>) => {
    state = { ...state, ...change }
    deps.onState(state)
  }
  const stop = () => {
    if (timer !== null) deps.timers.clear(timer)
    timer = null
    flight?.abort()
    flight = null
  }
  const ask = async (request: QuoteRequest) => {
    const mine = new AbortController()
    flight = mine
    try {
      const quote = await deps.ask(request, mine.signal)
      if (flight === mine) set({ quote, isCurrent: true, failure: null })
    } catch (failure) {
      if (flight === mine) set({ isCurrent: false, failure })
    }
  }
  const request = (next: QuoteRequest) => {
    stop()
    wanted = next
    if (state.isCurrent || state.failure !== null) set({ isCurrent: false, failure: null })
    timer = deps.timers.set(() => {
      timer = null
      void ask(next)
    }, quoteAfterMs)
  }

  return {
    request,
    retry: () => {
      if (wanted) request(wanted)
    },
    close: stop,
  }
}
