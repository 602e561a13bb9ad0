/**
 * Polls until the condition gives a value that is neither undefined nor false, and returns it. A rejection counts as "not
 * yet" and is shown when the time is over.
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
      last = error
    }
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms for ${what}.`, { cause: last })
    await new Promise((done) => setTimeout(done, 25))
  }
}
