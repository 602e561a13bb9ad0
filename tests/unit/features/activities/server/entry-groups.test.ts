import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ServerActivity } from '#contracts/http/panel/server-activity.ts'
import { daysOf } from '../../../../../src/features/activities/server/entry-groups.ts'

const entry = (minute: number, changes: Partial<ServerActivity> = {}): ServerActivity => ({
  id: String(minute),
  type: 'server:file.uploaded',
  group: 'files',
  status: 'success',
  date: new Date(Date.UTC(2026, 10, 20, 12, -minute)).toISOString(),
  way: 'panel',
  actor: { id: 'anna', name: 'anna', role: 'owner', pictureId: null },
  detail: '',
  facts: {},
  missing: null,
  ipAddress: null,
  place: '',
  ...changes,
})
const shape = (entries: readonly ServerActivity[], zone = 'UTC') =>
  daysOf(entries, zone).map(({ day, bursts }) => [day, bursts.map((burst) => burst.map(({ id }) => id))])

test('three of one kind within ten minutes of each other are one; fewer, or others between them, are not', () => {
  expect(shape([entry(0), entry(5), entry(14)])).toEqual([['2026-11-20', [['0', '5', '14']]]])
  expect(shape([entry(0), entry(5)])).toEqual([['2026-11-20', [['0'], ['5']]]])
  expect(shape([entry(0), entry(5), entry(16)])).toEqual([['2026-11-20', [['0'], ['5'], ['16']]]])
  const other = [
    { type: 'server.stop' },
    { way: 'sftp' },
    { status: 'failure' },
    { actor: 'server' },
    { ipAddress: '::1' },
  ]
  for (const changes of other as Partial<ServerActivity>[]) {
    expect(shape([entry(0), entry(1), entry(2, changes), entry(3)])).toEqual([
      ['2026-11-20', [['0'], ['1'], ['2'], ['3']]],
    ])
  }
})

test('a day begins at midnight of the reader, and ends a burst', () => {
  const around = [entry(50), entry(55), entry(58), entry(62), entry(65), entry(67)]
  expect(shape(around, 'Asia/Tokyo')).toEqual([['2026-11-20', [['50', '55', '58', '62', '65', '67']]]])
  // 12:00 UTC is midnight there.
  expect(shape([entry(-2), entry(-1), entry(0), entry(1), entry(2)], 'Pacific/Auckland')).toHaveLength(1)
  expect(shape([entry(-2), entry(-1), entry(0), entry(1), entry(2)], 'Etc/GMT-12').map(([day]) => day)).toEqual([
    '2026-11-21',
    '2026-11-20',
  ])
})

test('no entry is lost or repeated, and their order stays', () => {
  const some = fc.array(
    fc.record({
      minute: fc.nat(3_000),
      type: fc.constantFrom('server.stop', 'server:file.write'),
      by: fc.constantFrom('a', 'b'),
    }),
  )
  fc.assert(
    fc.property(some, (made) => {
      const entries = made
        .toSorted((a, b) => a.minute - b.minute)
        .map(({ minute, type, by }, index) =>
          entry(minute, { id: String(index), type, actor: { id: by, name: by, role: 'member', pictureId: null } }),
        )
      const shown = daysOf(entries, 'Europe/Budapest').flatMap(({ bursts }) => bursts.flat())
      expect(shown).toEqual(entries)
    }),
  )
})
