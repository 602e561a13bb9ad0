'use client'
import { useEffect, useRef, useState } from 'react'
import { Quote } from '#contracts/http/order.ts'
import type { QuoteRequest } from '#contracts/http/order.ts'
import { browserTimers } from '@/features/realtime/socket.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { createQuoteRunner } from './quote-runner.ts'
import type { QuoteRunner, QuoteState } from './quote-runner.ts'

const noQuote: QuoteState = { quote: null, isCurrent: false, failure: null }

/** The price of the choice, requested again whenever the choice or the balance changes. */
export const useQuote = (request: QuoteRequest | undefined, balanceFt: number | undefined) => {
  const [state, setState] = useState<QuoteState>(noQuote)
  const runner = useRef<QuoteRunner | null>(null)
  const key = JSON.stringify(request)
  useEffect(() => {
    const made = createQuoteRunner({
      ask: (body, signal) => api.call('/api/orders/quote', { method: 'POST', body, schema: Quote, signal }),
      timers: browserTimers,
      onState: setState,
    })
    runner.current = made
    return () => made.close()
  }, [])
  useEffect(() => {
    if (key !== undefined) runner.current?.request(JSON.parse(key) as QuoteRequest)
  }, [key, balanceFt])
  return { ...state, retry: () => runner.current?.retry() }
}
