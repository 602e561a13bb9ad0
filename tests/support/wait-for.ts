/** What a condition throws that cannot come true any more: nobody waits on. */
export class NeverComes extends Error {
  override name = 'NeverComes'
}

/**
 * Polls until the condition gives a value that is neither undefined nor false, and returns it. A rejection counts as "not
 * yet" and is told when the time is over.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 45_000,
): Promise<T> {
  const end = performance.now() + timeoutMs
  let last: unknown
  for (;;) {
    try {
      const value = await condition()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      if (error instanceof NeverComes) throw error
      last = error
    }
    if (performance.now() > end) {
      // Reports of a run tell messages and leave causes out.
      const why = last === undefined ? '' : ` Last: ${String(last)}`
      throw new Error(`Waited ${timeoutMs} ms for ${what}.${why}`, { cause: last })
    }
    await new Promise((done) => setTimeout(done, 25))
  }
}
