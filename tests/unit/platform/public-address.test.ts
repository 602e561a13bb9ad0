import { expect, it } from 'vitest'
import { isPublicAddress } from '#platform/public-address.ts'

it.each(['142.250.180.202', '8.8.8.8', '172.15.255.255', '172.32.0.1', '2a00:1450:4001:80b::200a', '2606:4700::1111'])(
  '%s is an address of the internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

it.each([
  ['0.0.0.0', 'this host'],
  ['10.1.2.3', 'a private net'],
  ['100.64.0.1', 'a net of a provider'],
  ['127.0.0.1', 'this machine'],
  ['169.254.169.254', 'the metadata of a cloud'],
  ['172.16.0.1', 'a private net'],
  ['172.31.255.255', 'a private net'],
  ['192.168.1.1', 'a private net'],
  ['198.18.0.1', 'a bench'],
  ['224.0.0.1', 'many at once'],
  ['255.255.255.255', 'everybody here'],
  ['::', 'this host'],
  ['::1', 'this machine'],
  ['::ffff:127.0.0.1', 'this machine, mapped'],
  ['::ffff:10.0.0.1', 'a private net, mapped'],
  ['64:ff9b::7f00:1', 'this machine, translated'],
  ['64:ff9b:1::a00:1', 'a private net, translated'],
  ['2002:7f00:1::', 'this machine in a tunnel'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'a tunnel of Teredo'],
  ['fc00::1', 'a private net'],
  ['fd12:3456::1', 'a private net'],
  ['fe80::1', 'this link'],
  ['ff02::1', 'many at once'],
  ['2001:db8::1', 'documents'],
  ['2606:4700::1111%eth0', 'a neighbour on a link'],
  ['fe80::1%eth0', 'this link by its name'],
  ['fec0::1', 'a site, as it once was'],
  ['::7f00:1', 'this machine, in the old form'],
  ['::ffff:0:7f00:1', 'this machine, translated the other way'],
  ['2002:c0a8:101::1', 'a private net in a tunnel'],
  ['100.127.255.255', 'a net of a provider, at its end'],
  ['192.0.0.192', 'the metadata of a cloud of another kind'],
  ['fd00:ec2::254', 'the metadata of a cloud by IPv6'],
  ['localhost', 'no address'],
  ['', 'nothing'],
])('%s is not: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
