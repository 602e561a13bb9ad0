/** A cache bounded by its bytes; the least recently used entry is evicted first. */
export const createByteCache = <Value>(maxBytes: number, sizeOf: (value: Value) => number) => {
  const entries = new Map<string, Value>()
  let bytes = 0
  const remove = (key: string) => {
    const old = entries.get(key)
    if (old === undefined) return
    entries.delete(key)
    bytes -= sizeOf(old)
  }
  return {
    get: (key: string): Value | undefined => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key: string, value: Value): void => {
      remove(key)
      const size = sizeOf(value)
      if (size > maxBytes) return
      entries.set(key, value)
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    bytes: () => bytes,
    count: () => entries.size,
  }
}

export type ByteCache<Value> = ReturnType<typeof createByteCache<Value>>
