import { askNode } from './browser-client.ts'

/** The first request opens the connection, so it is not counted. */
const COUNTED_REQUESTS = 3
const LIMIT_MS = 2_000

type Measuring = {
  readonly request: (url: string, init: RequestInit) => Promise<unknown>
  readonly now: () => number
}

const browser: Measuring = { request: askNode, now: () => performance.now() }

/**
 * The shortest of a few answers of a node, in milliseconds; null if the browser cannot reach it, for example because the
 * node has no certificate.
 */
export const measurePing = async (url: string, { request, now }: Measuring = browser): Promise<number | null> => {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const init = { cache: 'no-store', signal } as const
  try {
    await request(url, init)
    const times: number[] = []
    for (let count = 0; count < COUNTED_REQUESTS; count += 1) {
      const begun = now()
      await request(url, init)
      times.push(now() - begun)
    }
    return Math.max(1, Math.round(Math.min(...times)))
  } catch {
    return null
  }
}
