import { expect, test } from 'vitest'
import { bytesText, memoryText } from '../../../../src/lib/format/size.ts'

test('memory reads as people say it', () => {
  expect(memoryText(512, 'hu')).toBe('512\u00A0MB')
  expect(memoryText(1_536, 'hu')).toBe('1,5\u00A0GB')
})

test.each([
  [0, '0\u00A0B'],
  [1_023, '1023\u00A0B'],
  [1_024, '1\u00A0kB'],
  [1_127, '1,1\u00A0kB'],
  [10_240, '10\u00A0kB'],
  [1_048_575, '1\u00A0MB'],
  [51_380_224, '49\u00A0MB'],
  [12_025_908_429, '11\u00A0GB'],
])('%i bytes read as %j', (bytes, text) => {
  expect(bytesText(bytes, 'hu')).toBe(text)
})
