/** What many readers ask for is read once a second at most: shorter than the two seconds within which a change must be seen. */
const FRESH_MS = 1_000

type Kept<Value> = { readonly atMs: number; readonly reading: Promise<Value> }

/**
 * Reads by a key; a result is used again for one second. `Key` has few values, as all of them are remembered. `Rest` changes nothing
 * in the result, such as the id of a request.
 */
export const readRecently = <Key extends string, Value, Rest extends readonly unknown[]>(
  read: (key: Key, ...rest: Rest) => Promise<Value>,
  now: () => number,
): ((key: Key, ...rest: Rest) => Promise<Value>) => {
  const kept = new Map<Key, Kept<Value>>()
  return (key, ...rest) => {
    const atMs = now()
    const last = kept.get(key)
    if (last && atMs - last.atMs < FRESH_MS && atMs >= last.atMs) return last.reading
    const mine = { atMs, reading: read(key, ...rest) }
    kept.set(key, mine)
    // A failure is nobody's answer but the callers' who waited for it: the next one asks again.
    mine.reading.catch(() => {
      if (kept.get(key) === mine) kept.delete(key)
    })
    return mine.reading
  }
}
