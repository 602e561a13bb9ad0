/** A range of addresses as numbers; `bits` is the length of its prefix, `width` 32 or 128. */
export interface Range {
  readonly width: 32 | 128
  readonly first: bigint
  readonly bits: number
}

const parseV4 = (text: string): bigint | undefined => {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
}

const parseV6 = (text: string): bigint | undefined => {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'))
  const [head, tail] = [groupsOf(halves[0] ?? ''), groupsOf(halves[1] ?? '')]
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

const sizeOf = (range: Range): bigint => 1n << BigInt(range.width - range.bits)

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a single address. Undefined for anything else, including bits beyond the prefix.
 */
export const parseRange = (text: string): Range | undefined => {
  const [, address = '', prefix] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const width = address.includes(':') ? 128 : 32
  const first = width === 128 ? parseV6(address) : parseV4(address)
  const bits = prefix === undefined ? width : Number(prefix)
  if (first === undefined || bits > width) return undefined
  const range: Range = { width, first, bits }
  return first % sizeOf(range) === 0n ? range : undefined
}

/** The network of an address with its prefix length, such as an interface's `192.0.2.7/24`. */
export const networkOf = (text: string): Range | undefined => {
  const [address = '', prefix] = text.split('/')
  const host = parseRange(address)
  if (host === undefined || prefix === undefined) return host
  const bits = Number(prefix)
  if (!Number.isInteger(bits) || bits < 0 || bits > host.width) return undefined
  const size = 1n << BigInt(host.width - bits)
  return { width: host.width, first: (host.first / size) * size, bits }
}

const addressText = (width: Range['width'], address: bigint): string => {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.')
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((address >> shift) & 0xffffn).toString(16))
  return groups.join(':')
}

export const rangeText = (range: Range): string => `${addressText(range.width, range.first)}/${range.bits}`

/** The n-th address of the range, 0 being the network itself. */
export const addressIn = (range: Range, n: number): string => addressText(range.width, range.first + BigInt(n))

/** Whether the ranges share an address; IPv4 and IPv6 never do. */
export const overlaps = (a: Range, b: Range): boolean =>
  a.width === b.width && a.first < b.first + sizeOf(b) && b.first < a.first + sizeOf(a)

/** The first network of `bits` in the pool that overlaps no taken one; undefined when the pool is exhausted. */
export const freeRange = (pool: Range, bits: number, taken: readonly Range[]): Range | undefined => {
  if (bits < pool.bits || bits > pool.width) return undefined
  const inPool = taken.filter((range) => overlaps(range, pool)).sort((a, b) => (a.first < b.first ? -1 : 1))
  const size = 1n << BigInt(pool.width - bits)
  const end = pool.first + sizeOf(pool)
  let candidate: Range = { width: pool.width, first: pool.first, bits }
  for (const range of inPool) {
    if (!overlaps(range, candidate)) {
      if (range.first >= candidate.first + size) return candidate
      continue
    }
    // The next position after it, aligned to the wanted size.
    const behind = range.first + sizeOf(range)
    candidate = { ...candidate, first: pool.first + ((behind - pool.first + size - 1n) / size) * size }
  }
  return candidate.first + size <= end ? candidate : undefined
}
