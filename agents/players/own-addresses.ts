import { BlockList, isIPv6 } from 'node:net'
import os from 'node:os'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address belongs to this machine at the moment. */
export const isOwnAddress = (ip: string): boolean =>
  loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4') ||
  Object.values(os.networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === ip))
