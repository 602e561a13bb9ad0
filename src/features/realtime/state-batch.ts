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

/** A hidden page has no frames. */
const HIDDEN_MS = 200

/** The next frame of the browser. */
export const nextFrame = (run: () => void): void => {
  if (document.visibilityState === 'visible') requestAnimationFrame(run)
  else window.setTimeout(run, HIDDEN_MS)
}
