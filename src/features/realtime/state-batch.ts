import type { ServerWord } from '#domain/servers/status.ts'

export type StateBatch = {
  /** Notes a server's newest state. */
  add: (serverId: string, word: ServerWord) => void
  /** Applies what is noted now, before an event that came later. */
  flush: () => void
}

/**
 * Collects states until the next frame: a page with many servers renders once for all that changed, each with its last
 * state. `schedule` runs a task at that time.
 */
export const createStateBatch = (
  apply: (words: ReadonlyMap<string, ServerWord>) => void,
  schedule: (run: () => void) => void,
): StateBatch => {
  let noted = new Map<string, ServerWord>()
  const flush = () => {
    if (noted.size === 0) return
    const words = noted
    noted = new Map()
    apply(words)
  }
  return {
    add: (serverId, word) => {
      if (noted.size === 0) schedule(flush)
      noted.set(serverId, word)
    },
    flush,
  }
}

/** So long a page waits for a frame: one that is hidden or covered has none. */
const LATEST_MS = 200

/**
 * The next frame of the browser, or soon without one. States that were noted before the page was hidden wait for
 * neither.
 */
export const nextFrame = (run: () => void): void => {
  const once = () => {
    cancelAnimationFrame(frame)
    window.clearTimeout(timer)
    run()
  }
  const frame = requestAnimationFrame(once)
  const timer = window.setTimeout(once, LATEST_MS)
}
