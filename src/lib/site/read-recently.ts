/** How long a result is reused unless its reader says otherwise. A change must be visible within two seconds. */
const FRESH_MS = 1_000

type Kept<Value> = { readonly atMs: number; readonly reading: Promise<Value> }

/**
 * Reads by a key and reuses a result for one second, or for `freshMs`. `Key` must have few values, because all of them are remembered. `Rest` must not
 * affect the result, such as a request id.
 */
export const readRecently = <Key extends string, Value, Rest extends readonly unknown[]>(
  read: (key: Key, ...rest: Rest) => Promise<Value>,
  now: () => number,
  freshMs = FRESH_MS,
): ((key: Key, ...rest: Rest) => Promise<Value>) => {
  const kept = new Map<Key, Kept<Value>>()
  return (key, ...rest) => {
    const atMs = now()
    const last = kept.get(key)
    if (last && atMs - last.atMs < freshMs && atMs >= last.atMs) return last.reading
    const mine = { atMs, reading: read(key, ...rest) }
    kept.set(key, mine)
    // A failure is not cached: the next caller reads again.
    mine.reading.catch(() => {
      if (kept.get(key) === mine) kept.delete(key)
    })
    return mine.reading
  }
}
