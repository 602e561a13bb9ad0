import { isIPv4 } from 'node:net'

type Value = string | number | { readonly [name: string]: Value } | readonly Value[]

const sized = (type: number, size: number): Buffer => {
  const extended = type > 7 ? [type - 7] : []
  const kind = type > 7 ? 0 : type
  if (size < 29) return Buffer.from([(kind << 5) | size, ...extended])
  return Buffer.from([(kind << 5) | 29, ...extended, size - 29])
}

const encode = (value: Value): Buffer => {
  if (typeof value === 'string') return Buffer.concat([sized(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([sized(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([sized(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([sized(7, entries.length), ...entries.flatMap(([name, inner]) => [encode(name), encode(inner)])])
}

/** 128 bits of an address; IPv4 is at the beginning of IPv6, as in the format. */
const bitsOf = (address: string): string => {
  if (isIPv4(address)) {
    const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    return '0'.repeat(96) + bits.join('')
  }
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const missing = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  const all = [...groups(head), ...(address.includes('::') ? missing : []), ...groups(tail)]
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

type Node = [number, number]
const NONE = -1

/**
 * A location database in MaxMind's format, version 2, of networks like `192.0.2.0/24` with their data. Networks must
 * not overlap.
 */
export const locationDatabase = (networks: Readonly<Record<string, Value>>): Buffer => {
  const nodes: Node[] = [[NONE, NONE]]
  const data: Buffer[] = []
  let dataBytes = 0
  for (const [network, value] of Object.entries(networks)) {
    const [address = '', length = ''] = network.split('/')
    const bits = bitsOf(address).slice(0, Number(length) + (isIPv4(address) ? 96 : 0))
    let at = 0
    for (const [index, bit] of [...bits].entries()) {
      const node = nodes[at] as Node
      const side = bit === '1' ? 1 : 0
      if (index === bits.length - 1) node[side] = -2 - dataBytes
      else if (node[side] === NONE) node[side] = nodes.push([NONE, NONE]) - 1
      at = node[side]
    }
    const bytes = encode(value)
    data.push(bytes)
    dataBytes += bytes.length
  }
  const record = (value: number) => {
    const bytes = Buffer.alloc(3)
    bytes.writeUIntBE(value === NONE ? nodes.length : value < NONE ? nodes.length + 16 - 2 - value : value, 0, 3)
    return bytes
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 6,
    database_type: 'Test',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    description: { en: 'Test' },
  })
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
  return Buffer.concat([...nodes.flat().map(record), Buffer.alloc(16), ...data, marker, metadata])
}
