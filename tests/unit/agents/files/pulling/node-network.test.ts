import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { mayPullFrom, nodeNetwork } from '../../../../../agents/files/pulling/node-network.ts'

describe('a pull may go', () => {
  it('to a public address', () => {
    expect(mayPullFrom('8.8.8.8', ['1.1.1.1', '2606:4700::1111'])).toBe(true)
    expect(mayPullFrom('2a00:1450:4001:80b::200a', ['1.1.1.1', '::1'])).toBe(true)
  })

  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['2606:4700::1111', '2606:4700:0:0:0:0:0:1111'],
    ['2606:4700:0::1111', '2606:4700::1111'],
  ])('not to %s of a node that has %s', (address, own) => {
    expect(mayPullFrom(address, ['1.1.1.1', own])).toBe(false)
  })

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fd00:ec2::254',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    'localhost',
    '',
  ])('not to %j', (address) => {
    expect(mayPullFrom(address, [])).toBe(false)
  })

  it('not to the interfaces of the node, nor to the addresses of its servers', () => {
    const { isAllowed } = nodeNetwork(() => ['8.8.4.4', '0.0.0.0', 'not an address'])
    const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))
    expect(own.filter(isAllowed)).toEqual([])
    expect([isAllowed('8.8.4.4'), isAllowed('8.8.8.8')]).toEqual([false, true])
  })
})
