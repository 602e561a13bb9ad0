import { networkOf, rangeText } from '../runtime/docker/cidr.ts'

const MAPPED = '::ffff:'

/** What limits count by: an IPv4 address, or the /64 of an IPv6 address, of which one customer has very many. */
export const addressKey = (address: string): string => {
  if (address.startsWith(MAPPED)) return address.slice(MAPPED.length)
  const [plain = ''] = address.split('%')
  const network = plain.includes(':') ? networkOf(`${plain}/64`) : undefined
  return network === undefined ? plain : rangeText(network)
}
