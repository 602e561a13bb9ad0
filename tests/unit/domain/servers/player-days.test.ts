import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAYER_DAYS, playerDays } from '../../../../src/domain/servers/player-days.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const hour = (at: string, players: number) => ({ hourMs: Date.parse(at), players })
const at = (nowAt: string, timeZone: string) => ({ nowMs: Date.parse(nowAt), timeZone })
const ZONES = ['Europe/Budapest', 'UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Asia/Kathmandu']

describe('the days of a zone', () => {
  it('are seven, end today, and are null where no game answered', () => {
    const { days, peak } = playerDays([], at('2026-11-20T19:30:00Z', 'Europe/Budapest'))
    expect(days.map(({ day }) => day)).toEqual([
      '2026-11-14',
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ])
    expect(days.every(({ most }) => most === null)).toBe(true)
    expect(peak).toBeNull()
  })

  it('an hour without players is no missing hour', () => {
    const { days, peak } = playerDays([hour('2026-11-20T10:00:00Z', 0)], at('2026-11-20T19:30:00Z', 'Europe/Budapest'))
    expect([days.at(-1)?.most, days.at(-2)?.most]).toEqual([0, null])
    expect(peak?.players).toBe(0)
  })

  it('the same hour is of another day in another zone', () => {
    const hours = [hour('2026-11-19T23:00:00Z', 8)]
    const dayOf = (timeZone: string) =>
      playerDays(hours, at('2026-11-20T19:30:00Z', timeZone)).days.find(({ most }) => most === 8)?.day
    expect(dayOf('Europe/Budapest')).toBe('2026-11-20')
    expect(dayOf('UTC')).toBe('2026-11-19')
    expect(dayOf('Asia/Kolkata')).toBe('2026-11-20')
    expect(dayOf('America/Los_Angeles')).toBe('2026-11-19')
  })

  it('an hour that reaches into the next day counts for the day in which it begins there', () => {
    // 23:30 in Kolkata.
    const { days } = playerDays([hour('2026-11-19T18:00:00Z', 6)], at('2026-11-20T12:00:00Z', 'Asia/Kolkata'))
    expect(days.slice(-2)).toEqual([
      { day: '2026-11-19', most: 6 },
      { day: '2026-11-20', most: null },
    ])
  })

  it('a day of 25 hours has all of them, and the day before stays', () => {
    const now = at('2026-10-26T12:00:00Z', 'Europe/Budapest')
    const hours = [hour('2026-10-24T22:00:00Z', 3), hour('2026-10-25T22:00:00Z', 9), hour('2026-10-25T23:00:00Z', 4)]
    const { days } = playerDays(hours, now)
    expect(days.slice(-3)).toEqual([
      { day: '2026-10-24', most: null },
      { day: '2026-10-25', most: 9 },
      { day: '2026-10-26', most: 4 },
    ])
  })

  it('no day is skipped or named twice where summer time begins', () => {
    const { days } = playerDays([], at('2026-03-30T00:30:00Z', 'Europe/Budapest'))
    expect(days.map(({ day }) => day.slice(8))).toEqual(['24', '25', '26', '27', '28', '29', '30'])
  })
})

it('the largest hour of a day counts, and the newest of equal peaks', () => {
  const hours = [
    hour('2026-11-18T19:00:00Z', 12),
    hour('2026-11-20T18:00:00Z', 12),
    hour('2026-11-20T17:00:00Z', 5),
    hour('2026-11-19T18:00:00Z', 12),
  ]
  const { days, peak } = playerDays(hours, at('2026-11-20T19:30:00Z', 'Europe/Budapest'))
  expect(days.slice(-3).map(({ most }) => most)).toEqual([12, 12, 12])
  expect(peak).toEqual(hours[1])
})

it('in every zone and hour of the year there are seven days, none of them twice, and every kept hour of them counts once', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
      fc.array(fc.record({ hoursAgo: fc.integer({ min: 0, max: 200 }), players: fc.nat(500) }), { maxLength: 20 }),
      (timeZone, nowMs, told) => {
        const hours = told.map(({ hoursAgo, players }) => ({
          hourMs: nowMs - (nowMs % HOUR_MS) - hoursAgo * HOUR_MS,
          players,
        }))
        const { days, peak } = playerDays(hours, { nowMs, timeZone })
        expect(new Set(days.map(({ day }) => day)).size).toBe(PLAYER_DAYS)
        const recent = hours.filter(({ hourMs }) => hourMs > nowMs - 6 * DAY_MS)
        const most = Math.max(-1, ...days.map((day) => day.most ?? -1))
        expect(most).toBeGreaterThanOrEqual(Math.max(-1, ...recent.map(({ players }) => players)))
        expect(peak?.players ?? -1).toBe(most)
      },
    ),
  )
})
