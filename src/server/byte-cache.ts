type Entry<Value> = { readonly value: Value; usedAt: number }

/** A cache bounded by its bytes; the least recently used entry is evicted first. */
export const createByteCache = <Value>(maxBytes: number, sizeOf: (value: Value) => number) => {
  const entries = new Map<string, Entry<Value>>()
  let bytes = 0
  // Counts uses. Moving an entry to the end of the map at each use would leave a chain of old tables behind.
  let uses = 0
  const remove = (key: string) => {
    const old = entries.get(key)
    if (old === undefined) return
    entries.delete(key)
    bytes -= sizeOf(old.value)
  }
  const removeOldest = () => {
    let oldest: string | undefined
    let usedAt = Infinity
    for (const [key, entry] of entries) {
      if (entry.usedAt >= usedAt) continue
      oldest = key
      usedAt = entry.usedAt
    }
    if (oldest !== undefined) remove(oldest)
  }
  return {
    get: (key: string): Value | undefined => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entry.usedAt = uses += 1
      return entry.value
    },
    set: (key: string, value: Value): void => {
      remove(key)
      const size = sizeOf(value)
      if (size > maxBytes) return
      entries.set(key, { value, usedAt: (uses += 1) })
      bytes += size
      while (bytes > maxBytes) removeOldest()
    },
    bytes: () => bytes,
    count: () => entries.size,
  }
}

export type ByteCache<Value> = ReturnType<typeof createByteCache<Value>>
