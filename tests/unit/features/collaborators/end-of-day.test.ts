import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAfter, dayIn, endOfDay } from '@/features/collaborators/end-of-day.ts'

const ZONES = ['Europe/Budapest', 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']

describe('the end of a day', () => {
  it.each([
    ['2026-11-28', 'Europe/Budapest', '2026-11-28T22:59:59.000Z'],
    ['2026-07-01', 'Europe/Budapest', '2026-07-01T21:59:59.000Z'],
    // The clocks change in the night before.
    ['2026-03-29', 'Europe/Budapest', '2026-03-29T21:59:59.000Z'],
    ['2026-10-25', 'Europe/Budapest', '2026-10-25T22:59:59.000Z'],
    ['2026-11-28', 'Asia/Kolkata', '2026-11-28T18:29:59.000Z'],
  ])('%s in %s', (day, zone, instant) => {
    expect(endOfDay(day, zone)).toBe(instant)
  })

  it.each(['', '2026-11', '28.11.2026', '2026-13-41'])('of "%s" is none', (day) => {
    expect(endOfDay(day, 'UTC')).toBeUndefined()
  })

  it('lies on the day, and a second later is the next one', () => {
    const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(day, fc.constantFrom(...ZONES), (date, zone) => {
        const text = date.toISOString().slice(0, 10)
        const endMs = Date.parse(endOfDay(text, zone) ?? '')
        expect(dayIn(endMs, zone)).toBe(text)
        expect(dayIn(endMs + 1_000, zone)).toBe(new Date(Date.parse(text) + 86_400_000).toISOString().slice(0, 10))
      }),
    )
  })

  it('a week after a day is the same day of the week', () => {
    expect(dayAfter(Date.parse('2026-11-28T12:00:00Z'), 7, 'Europe/Budapest')).toBe('2026-12-05')
  })
})
