import { isIPv6 } from 'node:net'

const MAPPED = '::ffff:'
const GROUPS = 8
const NETWORK_GROUPS = 4
const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, of which one customer has very many. */
export const addressKey = (address: string): string => {
  if (address.startsWith(MAPPED)) return address.slice(MAPPED.length)
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill('0')
  const network = [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
