import type { IncomingMessage } from 'node:http'
import { cookieName, readCookie } from '../identity/sessions/cookies.ts'

/**
 * How long visitors' reads may keep the event loop before everything else gets a turn. A sign-in takes about ten turns
 * of the loop. Beside 300 readers its 99th percentile is 219 ms with turns of 1 ms and 640 to 800 ms with turns of 4 ms; the
 * readers get the same 9,000 responses a second.
 */
export const TURN_MS = 1

/** Beyond so many waiting reads one begins at once, so that Node's own back-pressure slows its connection down. */
const MAX_WAITING = 5_000

type Deps = {
  readonly nowMs?: () => number
  /** Calls back once the loop has handled what is ready: connections, answers of the database, finished hashes. */
  readonly defer?: (run: () => void) => void
  readonly turnMs?: number
}

/** Whether a request reads something public for somebody who is not signed in. Nobody loses anything if it waits. */
export const isVisitorsRead = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>, isSecure: boolean) =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  readCookie(headers.cookie, cookieName('access', isSecure)) === null

/**
 * Runs visitors' reads in turns of the event loop, in the order of their arrival. Without it a crowd that reads fills
 * every turn, and each step of a sign-in or a payment waits for all of the crowd's requests.
 */
export const createReadingTurns = ({
  nowMs = () => performance.now(),
  defer = setImmediate,
  turnMs = TURN_MS,
}: Deps = {}) => {
  const waiting: (() => void)[] = []
  let isRunning = false
  const turn = () => {
    const untilMs = nowMs() + turnMs
    try {
      do waiting.shift()?.()
      while (waiting.length > 0 && nowMs() < untilMs)
    } finally {
      // A read that throws must not leave the others waiting for ever.
      isRunning = waiting.length > 0
      if (isRunning) defer(turn)
    }
  }
  return (read: () => void): void => {
    if (waiting.length >= MAX_WAITING) return read()
    waiting.push(read)
    if (isRunning) return
    isRunning = true
    defer(turn)
  }
}
