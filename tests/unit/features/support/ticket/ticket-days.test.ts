import { expect, test } from 'vitest'
import { daysOf } from '../../../../../src/features/support/ticket/ticket-days.ts'

const at = (createdAt: string) => ({
  id: createdAt,
  kind: 'message' as const,
  author: { id: 'a', username: 'anna', isStaff: false },
  message: 'x',
  event: null,
  createdAt,
  attachments: [],
})

test('lines stand under the day of the reader’s zone, in their order', () => {
  const lines = ['2026-11-20T10:00:00Z', '2026-11-20T22:30:00Z', '2026-11-20T23:30:00Z', '2026-11-22T08:00:00Z'].map(at)
  const days = daysOf(lines, 'Europe/Budapest').map(({ day, lines: all }) => [day, all.map(({ id }) => id)])
  expect(days).toEqual([
    ['2026-11-20', ['2026-11-20T10:00:00Z', '2026-11-20T22:30:00Z']],
    ['2026-11-21', ['2026-11-20T23:30:00Z']],
    ['2026-11-22', ['2026-11-22T08:00:00Z']],
  ])
  expect(daysOf(lines, 'UTC').map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-22'])
  expect(daysOf([], 'UTC')).toEqual([])
})
