import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Everything that the special-purpose address registries (RFC 6890, RFC 8190) exclude from the public internet. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

// Within 2000::/3, the only allocated range; forms that embed an IPv4 address could lead to any of those above.
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [net, prefix] of SPECIAL_IPV4) special.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of SPECIAL_IPV6) special.addSubnet(net, prefix, 'ipv6')
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is on the public internet: not on this machine, in its networks, or reserved for a protocol. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  // A zone belongs to a link, so such an address leads to a neighbour.
  if (!isIPv6(address) || address.includes('%')) return false
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
