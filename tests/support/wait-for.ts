/** Thrown by a condition that cannot become true any more: the wait ends. */
export class NeverComes extends Error {
  override name = 'NeverComes'
}

/**
 * Polls until the condition returns a value that is neither undefined nor false, and returns it. A rejection counts as
 * "not yet" and is reported when the time is over.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 120_000,
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
      // Reports of a run show messages and omit causes.
      const why = last === undefined ? '' : ` Last: ${String(last)}`
      throw new Error(`Waited ${timeoutMs} ms for ${what}.${why}`, { cause: last })
    }
    await new Promise((done) => setTimeout(done, 25))
  }
}
