import { expect, test } from 'vitest'
import { PlayerDaysQuery } from '#contracts/summary/figures.ts'

test('a zone that is unknown here is no reason to refuse the days of players, a text without bound is', () => {
  for (const query of [{}, { timeZone: 'Europe/Budapest' }, { timeZone: 'Mars/Olympus_Mons' }])
    expect(PlayerDaysQuery.parse(query)).toEqual(query)
  expect(PlayerDaysQuery.safeParse({ timeZone: 'M'.repeat(65) }).success).toBe(false)
})
