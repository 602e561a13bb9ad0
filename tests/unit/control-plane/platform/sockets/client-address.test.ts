import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { clientAddressReader, limitKeyOf } from '../../../../../control-plane/platform/sockets/client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
  }) as unknown as IncomingMessage

it.each([
  {
    name: 'a forged header changes nothing without a proxy',
    trusted: [],
    remote: '198.51.100.1',
    forwarded: '1.1.1.1',
    expected: '198.51.100.1',
  },
  {
    name: 'a forged header changes nothing from a stranger',
    trusted: ['10.0.0.1'],
    remote: '198.51.100.1',
    forwarded: '1.1.1.1',
    expected: '198.51.100.1',
  },
  {
    name: 'the hop that our proxy saw counts',
    trusted: ['10.0.0.1'],
    remote: '10.0.0.1',
    forwarded: '198.51.100.7',
    expected: '198.51.100.7',
  },
  {
    name: 'the rightmost untrusted hop counts, whatever stands before it',
    trusted: ['10.0.0.1'],
    remote: '10.0.0.1',
    forwarded: '1.1.1.1, 198.51.100.7',
    expected: '198.51.100.7',
  },
  {
    name: 'two proxies of ours are both skipped',
    trusted: ['10.0.0.1', '10.0.0.2'],
    remote: '10.0.0.1',
    forwarded: '198.51.100.7, 10.0.0.2',
    expected: '198.51.100.7',
  },
  {
    name: 'an IPv4 address of a dual-stack socket is written as such',
    trusted: [],
    remote: '::ffff:198.51.100.1',
    forwarded: undefined,
    expected: '198.51.100.1',
  },
])('$name', ({ trusted, remote, forwarded, expected }) => {
  expect(clientAddressReader(trusted)(request(remote, forwarded))).toBe(expected)
})

it.each([
  ['198.51.100.1', '198.51.100.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
])('limits count %s as %s', (address, key) => {
  expect(limitKeyOf(address)).toBe(key)
})
