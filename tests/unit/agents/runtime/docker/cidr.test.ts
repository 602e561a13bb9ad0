import { describe, expect, it } from 'vitest'

import {
  addressIn,
  freeRange,
  networkOf,
  overlaps,
  parseRange,
  rangeText,
} from '../../../../../agents/runtime/docker/cidr.ts'

const range = (text: string) => {
  const parsed = parseRange(text)
  if (parsed === undefined) throw new Error(`${text} is no range.`)
  return parsed
}
const free = (pool: string, bits: number, taken: string[]) => {
  const found = freeRange(range(pool), bits, taken.map(range))
  return found && rangeText(found)
}

describe('ranges of addresses', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['fd00::/8', 'fd00:0:0:0:0:0:0:0/8'],
    ['::1', '0:0:0:0:0:0:0:1/128'],
    ['2001:db8:1::/48', '2001:db8:1:0:0:0:0:0/48'],
  ])('%s is read', (text, written) => {
    expect(rangeText(range(text))).toBe(written)
  })

  it.each([
    '',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '256.0.0.0',
    '010.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    'a',
    '::1::',
    'fd00::/129',
    '1:2',
  ])('"%s" is none', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  it("is also an interface's network", () => {
    const found = networkOf('192.0.2.7/24')
    expect(found && rangeText(found)).toBe('192.0.2.0/24')
    expect(networkOf('192.0.2.7/x')).toBeUndefined()
  })

  it('overlaps what it shares an address with', () => {
    expect(overlaps(range('10.0.0.0/8'), range('10.255.255.255'))).toBe(true)
    expect(overlaps(range('10.0.0.0/29'), range('10.0.0.8/29'))).toBe(false)
    expect(overlaps(range('0.0.0.0/0'), range('::/0'))).toBe(false)
  })

  it('counts its addresses from the network', () => {
    expect(addressIn(range('10.0.0.8/29'), 1)).toBe('10.0.0.9')
    expect(addressIn(range('fd00::/64'), 1)).toBe('fd00:0:0:0:0:0:0:1')
  })
})

describe('the next free network', () => {
  it.each<[string[], string | undefined]>([
    [[], '10.0.0.0/29'],
    [['10.0.0.0/29'], '10.0.0.8/29'],
    [['10.0.0.8/29'], '10.0.0.0/29'],
    [['10.0.0.8/29', '10.0.0.0/29'], '10.0.0.16/29'],
    [['10.0.0.1'], '10.0.0.8/29'],
    [['10.0.0.4/30', '10.0.0.9'], '10.0.0.16/29'],
    [['10.0.0.0/27', '10.0.0.0/29'], undefined],
    [['10.0.0.0/8'], undefined],
    [['10.0.0.0/28', '10.0.0.16/30', '10.0.0.28/30'], undefined],
    [['192.168.0.0/16', 'fd00::/8'], '10.0.0.0/29'],
  ])('beside %j is %s', (taken, expected) => {
    expect(free('10.0.0.0/27', 29, taken)).toBe(expected)
  })

  it('is found until the pool is used up, each once', () => {
    const taken: string[] = []
    for (let next = free('10.9.0.0/22', 29, taken); next !== undefined; next = free('10.9.0.0/22', 29, taken))
      taken.push(next)
    expect(taken).toHaveLength(128)
    expect(new Set(taken).size).toBe(128)
  })

  it('is never larger than the pool', () => {
    expect(free('10.0.0.0/29', 28, [])).toBeUndefined()
  })
})
