import * as z from 'zod'
import { GatewayMessage, OwnTicketSign } from '#contracts/gateway/events.ts'
import { parseJson } from './socket.ts'

/**
 * Messages between the tabs of one browser, as JSON text. `hello` and `wake` ask the owner of the link for its state.
 */
export const TabNote = z
  .string()
  .transform(parseJson)
  .pipe(
    z.discriminatedUnion('note', [
      z.object({ note: z.literal('hello') }),
      z.object({ note: z.literal('wake') }),
      z.object({ note: z.literal('logout') }),
      z.object({ note: z.literal('sign'), sign: OwnTicketSign }),
      z.object({ note: z.literal('state'), state: z.enum(['connecting', 'connected', 'closed']) }),
      z.object({ note: z.literal('event'), message: GatewayMessage }),
    ]),
  )
export type TabNote = z.infer<typeof TabNote>

/** Sends text to all other tabs of this origin, and receives theirs. */
export type TabChannel = {
  post: (text: string) => void
  listen: (hear: (text: string) => void) => void
  close: () => void
}

/**
 * Queues this tab for the lock and runs `hold` when it gets it. The returned function releases the lock or leaves the
 * queue.
 */
export type TabLock = (hold: () => void) => () => void

const name = 'bakter-realtime'

/** Channel and lock of the browser; null without them (an old browser, or an insecure page). */
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
        // The request can only fail by leaving the queue.
        .catch(() => undefined)
      return () => {
        leave.abort()
        release()
      }
    },
  }
}
