import { describe, expect, it } from 'vitest'
import { addressKey, isSameAddress, plainAddress } from '#platform/address-key.ts'

describe('limits count by', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ])('%j as %j', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })

  it('the /64 of an IPv6 address: one customer has all of it [case 137]', () => {
    expect(addressKey('2001:db8::1')).toBe(addressKey('2001:db8:0:0:ffff:1:2:3'))
    expect(addressKey('2001:db8::1')).not.toBe(addressKey('2001:db8:0:1::1'))
  })
})

it.each([
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::ffff:1.2.3.4', '2001:db8::ffff:1.2.3.4'],
])('people read %j as %j', (address, plain) => {
  expect(plainAddress(address)).toBe(plain)
})

it.each([
  ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
  ['2001:db8::1', '2001:db8::10', false],
  ['2001:db8::c000:207', '2001:db8::192.0.2.7', true],
  ['::ffff:192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['::', '', false],
  ['2001:db8::1', 'node-1.example', false],
])('%j and %j are the same address: %j', (one, other, isSame) => {
  expect(isSameAddress(one, other)).toBe(isSame)
  expect(isSameAddress(other, one)).toBe(isSame)
})
