import { expect, test } from 'vitest'
import { memoryText } from '../../../../src/lib/format/size.ts'

test('memory reads as people say it', () => {
  expect(memoryText(512, 'hu')).toBe('512\u00A0MB')
  expect(memoryText(1_536, 'hu')).toBe('1,5\u00A0GB')
})
