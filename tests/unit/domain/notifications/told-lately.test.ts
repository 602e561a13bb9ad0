import { expect, it } from 'vitest'
import { toldSinceMs } from '#domain/notifications/told-lately.ts'

it('a trouble that was told within the hour is not told again', () => {
  const nowMs = Date.parse('2026-11-20T20:00:00Z')
  expect(new Date(toldSinceMs(nowMs)).toISOString()).toBe('2026-11-20T19:00:00.000Z')
})
