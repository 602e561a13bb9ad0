import type { IncomingMessage } from 'node:http'
import { OVERLOAD } from '#contracts/overload.ts'
import { cookieName, readCookie } from '../identity/sessions/cookies.ts'

/**
 * A read that waits for its turn. `rank`: people who present a session come before visitors. It is refused when too many
 * wait, or when its turn comes too late to be of use.
 */
export type Read = {
  readonly rank: 'person' | 'visitor'
  readonly address: string
  readonly run: () => void
  readonly refuse: () => void
}

type Deps = {
  readonly nowMs?: () => number
  /** Calls back once the loop has handled what is ready: connections, answers of the database, finished hashes. */
  readonly defer?: (run: () => void) => void
  /**
   * How long reads may keep the event loop before everything else gets a turn. A sign-in takes about ten turns of the
   * loop. Beside 300 readers its 99th percentile is 219 ms with turns of 1 ms and 640 to 800 ms with turns of 4 ms; the
   * readers get the same 9,000 responses a second.
   */
  readonly figures?: { turnMs: number; waiting: number; waitingPerAddress: number; waitMs: number }
}

/** The rank of a read, or null for a request that does not wait here. A session is checked later, by the API. */
export const rankOf = (
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  isSecure: boolean,
): Read['rank'] | null => {
  if (method !== 'GET' && method !== 'HEAD') return null
  const hasSession =
    headers.authorization !== undefined || readCookie(headers.cookie, cookieName('access', isSecure)) !== null
  return hasSession ? 'person' : 'visitor'
}

type Waiting = Read & { readonly sinceMs: number }

/** Beyond so many addresses those without a waiting read are forgotten. */
const MAX_KNOWN = 10_000

/** Reads in the order of their arrival within an address; the addresses take turns. */
const createLine = () => {
  // Kept while empty: entries that come and go with each read would leave tables of the Map behind (decision 36).
  const byAddress = new Map<string, Waiting[]>()
  const turns: Waiting[][] = []
  const newOf = (address: string): Waiting[] => {
    if (byAddress.size >= MAX_KNOWN)
      for (const [known, reads] of byAddress) if (reads.length === 0) byAddress.delete(known)
    const own: Waiting[] = []
    byAddress.set(address, own)
    return own
  }
  return {
    waitingOf: (address: string) => byAddress.get(address)?.length ?? 0,
    push: (read: Waiting) => {
      const own = byAddress.get(read.address) ?? newOf(read.address)
      if (own.length === 0) turns.push(own)
      own.push(read)
    },
    shift: (): Waiting | undefined => {
      const own = turns.shift()
      const read = own?.shift()
      if (own !== undefined && own.length > 0) turns.push(own)
      return read
    },
    isEmpty: () => turns.length === 0,
  }
}

/**
 * Runs reads in turns of the event loop. Without it a crowd that reads fills every turn, and each step of a sign-in or a
 * payment waits for all of the crowd's requests. Every turn serves people first and at least one visitor, because a
 * session that is presented may be forged.
 */
export const createReadingTurns = ({
  nowMs = () => performance.now(),
  defer = setImmediate,
  figures = OVERLOAD.site.reads,
}: Deps = {}) => {
  const lines = { person: createLine(), visitor: createLine() }
  const all = [lines.person, lines.visitor]
  let count = 0
  let isRunning = false
  const serve = (read: Waiting | undefined) => {
    if (read === undefined) return
    count -= 1
    if (nowMs() - read.sinceMs > figures.waitMs) read.refuse()
    else read.run()
  }
  const turn = () => {
    const untilMs = nowMs() + figures.turnMs
    try {
      for (const line of all)
        do serve(line.shift())
        while (!line.isEmpty() && nowMs() < untilMs)
    } finally {
      // A read that throws must not leave the others waiting for ever.
      isRunning = count > 0
      if (isRunning) defer(turn)
    }
  }
  return ({ rank, address, run, refuse }: Read): void => {
    const line = lines[rank]
    if (count >= figures.waiting || line.waitingOf(address) >= figures.waitingPerAddress) return refuse()
    // Written out: a copy by spread would outlive its turn (decision 36).
    line.push({ rank, address, run, refuse, sinceMs: nowMs() })
    count += 1
    if (isRunning) return
    isRunning = true
    defer(turn)
  }
}
