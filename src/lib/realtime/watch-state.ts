import { screenTimes } from '@/ui/screen/screen-times.ts'
import type { LinkState } from './gateway-link.ts'

type Ticker = { setInterval: (run: () => void, everyMs: number) => number; clearInterval: (timer: number) => void }

/** The indicator reads the link's state every 500 ms (specification section 7). Returns the stop function. */
export const watchState = (view: Ticker, read: () => LinkState, show: (state: LinkState) => void): (() => void) => {
  const timer = view.setInterval(() => show(read()), screenTimes.linkStateEveryMs)
  return () => view.clearInterval(timer)
}
