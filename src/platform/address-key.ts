import { isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4
const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

/** The eight groups of an IPv6 address; the last two may be written as an IPv4 address. */
const groupNumbers = (address: string): number[] => {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/** An address in display form: without its zone, and an IPv4-mapped address as IPv4. */
export const plainAddress = (address: string): string => {
  const [plain = ''] = address.split('%')
  if (isIPv4(plain) || !isIPv6(plain)) return plain
  const numbers = groupNumbers(plain)
  const [high = 0, low = 0] = numbers.slice(6)
  const isMapped = numbers.slice(0, 5).every((group) => group === 0) && numbers[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : plain
}

/**
 * The address that limits count: an IPv4 address, or the /64 of an IPv6 address, because one customer has very many of
 * those.
 */
export const addressKey = (address: string): string => {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const network = groupNumbers(plain).slice(0, NETWORK_GROUPS)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** Whether two texts name one address, however they write it: `2001:db8::1` is `2001:0DB8:0:0:0:0:0:1`. */
export const isSameAddress = (one: string, other: string): boolean => {
  const [left, right] = [plainAddress(one), plainAddress(other)]
  if (!isIPv6(left) || !isIPv6(right)) return left === right
  return groupNumbers(left).join(':') === groupNumbers(right).join(':')
}
