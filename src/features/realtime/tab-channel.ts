import * as z from 'zod'
import { GatewayMessage } from '#contracts/gateway/events.ts'
import { parseJson } from './socket.ts'

/** What the tabs of one browser tell one another, as JSON text. `hello` and `wake` ask the holder of the link for its state. */
export const TabNote = z
  .string()
  .transform(parseJson)
  .pipe(
    z.discriminatedUnion('note', [
      z.object({ note: z.literal('hello') }),
      z.object({ note: z.literal('wake') }),
      z.object({ note: z.literal('logout') }),
      z.object({ note: z.literal('state'), state: z.enum(['connecting', 'connected', 'closed']) }),
      z.object({ note: z.literal('event'), message: GatewayMessage }),
    ]),
  )
export type TabNote = z.infer<typeof TabNote>

/** Text to all other tabs of this origin, and from them. */
export type TabChannel = {
  post: (text: string) => void
  listen: (hear: (text: string) => void) => void
  close: () => void
}

/** Waits in the queue of tabs and runs `hold` when it is this tab's turn. What it returns gives the lock back or leaves the queue. */
export type TabLock = (hold: () => void) => () => void

const name = 'bakter-realtime'

/** Channel and lock of the browser; null where it has none of them (an old one, or a page that is not served securely). */
export const browserTabs = (): { channel: TabChannel; lock: TabLock } | null => {
  if (typeof BroadcastChannel === 'undefined' || !('locks' in navigator)) return null
  const channel = new BroadcastChannel(name)
  return {
    channel: {
      post: (text) => channel.postMessage(text),
      listen: (hear) => {
        channel.onmessage = (event: MessageEvent<unknown>) => {
          if (typeof event.data === 'string') hear(event.data)
        }
      },
      close: () => channel.close(),
    },
    lock: (hold) => {
      const leave = new AbortController()
      let release = (): void => undefined
      const held = new Promise<void>((done) => {
        release = done
      })
      navigator.locks
        .request(name, { signal: leave.signal }, () => {
          hold()
          return held
        })
        // Leaving the queue is the only way in which the request can fail.
        .catch(() => undefined)
      return () => {
        leave.abort()
        release()
      }
    },
  }
}
