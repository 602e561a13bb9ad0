import { BlockList, isIPv6 } from 'node:net'
import os from 'node:os'
import type { Clock } from '#platform/clock.ts'

/** A node with many containers has an interface for each, and reading them all takes its time. */
const KEPT_MS = 10_000

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const readAddresses = (): ReadonlySet<string> =>
  new Set(Object.values(os.networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []))

/** Says of an address whether it belongs to this machine, as it was at most ten seconds ago. */
export const ownAddresses = (clock: Clock, read = readAddresses): ((ip: string) => boolean) => {
  let [known, readAtMs]: [ReadonlySet<string>, number] = [new Set(), Number.NEGATIVE_INFINITY]
  return (ip) => {
    if (loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')) return true
    const nowMs = clock.now()
    // A clock that was set back does not keep them for longer.
    if (Math.abs(nowMs - readAtMs) >= KEPT_MS) [known, readAtMs] = [read(), nowMs]
    return known.has(ip)
  }
}
