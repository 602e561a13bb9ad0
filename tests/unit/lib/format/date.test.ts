import { describe, expect, it } from 'vitest'
import { formatDate } from '../../../../src/lib/format/date.ts'

const moment = '2026-12-04T19:14:05.000Z'

describe('formatDate', () => {
  it.each([
    ['hu', 'day', 'dec.\u00A04.'],
    ['hu', 'date', '2026. december\u00A04.'],
    ['de', 'date', '4.\u00A0Dezember 2026'],
    ['en', 'date', '4\u00A0December 2026'],
    ['hu', 'time', '20:14'],
    ['en', 'clock', '20:14:05'],
  ] as const)('%s, %s: %s', (locale, style, text) => {
    expect(formatDate(moment, locale, { style })).toBe(text)
  })

  it('takes the zone that it is given, and Budapest without one', () => {
    expect(formatDate(moment, 'hu', { style: 'time', timeZone: 'UTC' })).toBe('19:14')
    expect(formatDate(new Date('2026-07-01T12:00:00Z'), 'hu', { style: 'time' })).toBe('14:00')
  })

  it('prints midnight as 00', () => {
    expect(formatDate('2026-12-04T23:00:00Z', 'en', { style: 'time' })).toBe('00:00')
  })

  it('is empty for what is no moment', () => {
    expect(formatDate('soon', 'hu')).toBe('')
  })
})
