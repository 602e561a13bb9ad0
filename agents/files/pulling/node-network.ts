import { Resolver } from 'node:dns/promises'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { OVERLOAD } from '#contracts/overload.ts'
import { isPublicAddress } from '#platform/public-address.ts'
import type { PullNetwork } from './pull-source.ts'

const { headMs, resolveMs, slow } = OVERLOAD.agent.files.pulls

/** Whether both are the same address, however it is written. */
const isAmong = (address: string, addresses: readonly string[]): boolean => {
  const list = new BlockList()
  for (const each of addresses) {
    if (isIPv4(each)) list.addAddress(each, 'ipv4')
    else if (isIPv6(each) && !each.includes('%')) list.addAddress(each, 'ipv6')
  }
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

const ofInterfaces = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))

/** Whether pulls may go to an address: a public one that is not the node's own. */
export const mayPullFrom = (address: string, own: readonly string[]): boolean =>
  isPublicAddress(address) && !isAmong(address, own)

/** The web as a node reaches it. `servers` are the addresses of the node's servers: behind a NAT no interface has them. */
export const nodeNetwork = (servers: () => readonly string[]): PullNetwork => {
  // Asks name servers without the threads that the files of this process need, and without the machine's own list of hosts.
  const resolver = new Resolver({ timeout: resolveMs, tries: 2 })
  return {
    resolve: async (hostname) => {
      const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    },
    isAllowed: (address) => mayPullFrom(address, [...ofInterfaces(), ...servers()]),
    headMs,
    stalledMs: OVERLOAD.agent.files.stalledMs,
    slow,
  }
}
