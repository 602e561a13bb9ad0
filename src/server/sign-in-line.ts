/** Calls that check or hash a password. */
const CALLS = new Set(['/api/auth/login', '/api/auth/register'])

/** Whether a request waits in the queue. `path` is without its query. */
export const standsInLine = (method: string | undefined, path: string): boolean => method === 'POST' && CALLS.has(path)

export type LineSettings = {
  /** How many are admitted at once. */
  readonly width: number
  /** How many may wait. Beyond that a request is admitted at once, to be refused by the limits and the hasher. */
  readonly room: number
  /**
   * After this time a request loses its place to the next, but continues, so that a body that never ends delays nobody
   * else.
   */
  readonly placeMs: number
}

export const LINE_DEFAULTS: LineSettings = { width: 2, room: 256, placeMs: 1_000 }

/**
 * Admits a few sign-ins at a time. Each costs milliseconds of the one thread that serves all pages, besides its hash: a
 * crowd that arrives at once waits here at no cost, and every other request passes it.
 */
export const createSignInLine = ({ width, room, placeMs }: LineSettings = LINE_DEFAULTS) => {
  let inside = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    // The place is handed over, so `inside` does not change here.
    if (next) setImmediate(next)
    else inside -= 1
  }
  return async (work: () => Promise<void>): Promise<void> => {
    if (inside >= width && waiting.length >= room) return work()
    if (inside >= width) await new Promise<void>((enter) => waiting.push(enter))
    else inside += 1
    let hasLeft = false
    const leaveOnce = () => {
      if (!hasLeft) leave()
      hasLeft = true
    }
    const timer = setTimeout(leaveOnce, placeMs)
    try {
      await work()
    } finally {
      clearTimeout(timer)
      leaveOnce()
    }
  }
}
