import { describe, expect, it } from 'vitest'

import { addressKey } from '#platform/address-key.ts'

describe('what limits of the node count by', () => {
  it('is an IPv4 address, however it is written', () => {
    expect(addressKey('192.0.2.7')).toBe('192.0.2.7')
    expect(addressKey('::ffff:192.0.2.7')).toBe('192.0.2.7')
  })

  it('is the /64 of an IPv6 address: one customer has all of it [case 137]', () => {
    expect(addressKey('2001:db8::1')).toBe(addressKey('2001:db8:0:0:ffff:1:2:3'))
    expect(addressKey('2001:db8::1')).not.toBe(addressKey('2001:db8:0:1::1'))
    expect(addressKey('fe80::1%eth0')).toBe(addressKey('fe80::2%eth1'))
    expect(addressKey('::1')).toBe(addressKey('::1'))
  })

  it('is the text itself where it is no address', () => {
    expect(addressKey('')).toBe('')
  })
})
