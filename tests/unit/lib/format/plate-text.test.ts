import { expect, test } from 'vitest'
import { plateText, serverAddress } from '../../../../src/lib/format/plate-text.ts'

test.each([
  ['Minecraft', 'MI'],
  ['Minecraft 2', 'M2'],
  ['Kisváros RP', 'KR'],
  ['Őszi kaland', 'ŐK'],
  ['web-01', 'W1'],
  ['Node.js application', 'NJA'],
  ['a b c d e', 'ABC'],
  ['2026', '202'],
  ['x', 'X'],
  ['סרבר שלי', 'סש'],
  ['🎮 Party 🎉', 'PA'],
  ['straße', 'ST'],
  ['🎮', 'K7W'],
  ['---', 'K7W'],
])('the plate of %s is %s', (name, plate) => {
  expect(plateText({ name, identifier: 'k7wmq3pd' })).toBe(plate)
})

test('an address is whole, with brackets where IPv6 needs them', () => {
  expect(serverAddress({ ip: '185.112.14.9', port: 25_565 })).toBe('185.112.14.9:25565')
  expect(serverAddress({ ip: '2001:db8::1', port: 25_565 })).toBe('[2001:db8::1]:25565')
  expect(serverAddress({ ip: '185.112.14.9', port: null })).toBeNull()
})
