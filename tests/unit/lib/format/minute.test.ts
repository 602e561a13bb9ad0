import { expect, test } from 'vitest'
import { minuteMs, minuteText } from '../../../../src/lib/format/minute.ts'

test('a minute of an address is that of the moment, in UTC', () => {
  expect(minuteText('2026-11-20T19:42:59.999+01:00')).toBe('2026-11-20T18:42Z')
  expect(minuteMs('2026-11-20T18:42Z')).toBe(Date.UTC(2026, 10, 20, 18, 42))
})

test.each([
  '',
  '2026-11-20',
  '2026-11-20T18:42',
  '2026-11-20T18:42:10Z',
  '2026-02-30T10:00Z',
  '2026-11-20T24:00Z',
  'now',
])('%j is no minute', (text) => {
  expect(minuteMs(text)).toBeNaN()
})
