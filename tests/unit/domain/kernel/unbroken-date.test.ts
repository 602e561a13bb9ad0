import { expect, test } from 'vitest'
import { unbrokenDate } from '#domain/kernel/unbroken-date.ts'

const MOMENT = new Date('2026-11-18T10:04:00Z')

test.each([
  ['en-GB', '18\u00A0November 2026'],
  ['hu', '2026. november\u00A018.'],
  ['de', '18.\u00A0November 2026'],
])('day and month of a date in %s stay on one line', (locale, text) => {
  const format = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' })
  expect(unbrokenDate(format, MOMENT)).toBe(text)
})

test('a line may end between a date and its time', () => {
  const parts = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  expect(unbrokenDate(new Intl.DateTimeFormat('hu', { ...parts, timeZone: 'UTC' }), MOMENT)).toBe('nov.\u00A018. 10:04')
})
