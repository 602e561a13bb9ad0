import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import proxyaddr from 'proxy-addr'

/** Finds the client's address: the rightmost hop that is not one of the trusted proxies. A forged header changes nothing. */
export function clientAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = proxyaddr.compile([...trustedProxies])
  return (request) => {
    const address = proxyaddr(request, trust) ?? ''
    return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  }
}

/** The key that limits count by: an IPv4 address, or the /64 that an IPv6 address lies in. */
export function limitKeyOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
