import { expect, test } from 'vitest'
import { ServerActivityFilter } from '#contracts/http/panel/server-activity.ts'
import {
  boundsOf,
  filterOf,
  firstOf,
  isFiltered,
  type Choice,
} from '../../../../../src/features/activities/server/filter-address.ts'

const NONE: Choice = { text: '', who: '', group: 'all', way: 'any', range: 'any', from: '', until: '' }
const nowMs = Date.UTC(2026, 10, 20, 23, 30)
const facts = { nowMs, timeZone: 'Europe/Budapest', types: [] }

test('nothing chosen is no filter', () => {
  expect(filterOf(NONE, facts)).toEqual({})
  expect(isFiltered(NONE)).toBe(false)
})

test('ranges are whole days of the reader: half past midnight in Budapest is the next day already', () => {
  const begins = (range: Choice['range']) => boundsOf({ range, from: '', until: '' }, facts).from
  expect(begins('today')).toBe('2026-11-20T23:00:00.000Z')
  expect(begins('week')).toBe('2026-11-14T23:00:00.000Z')
  // Summer time ends in between.
  expect(begins('month')).toBe('2026-10-22T22:00:00.000Z')
  const own = boundsOf({ range: 'own', from: '2026-03-29', until: '2026-03-29' }, facts)
  expect(own).toEqual({ from: '2026-03-28T23:00:00.000Z', until: '2026-03-29T22:00:00.000Z' })
  expect(boundsOf({ range: 'own', from: '', until: 'nonsense' }, facts)).toEqual({})
})

test('a range of a link begins with its minute, in any zone, and a text that is no minute is no bound', () => {
  const from = '2026-11-20T23:42Z'
  const own = boundsOf({ range: 'own', from, until: '2026-11-21' }, facts)
  expect(own).toEqual({ from: '2026-11-20T23:42:00.000Z', until: '2026-11-21T23:00:00.000Z' })
  expect(ServerActivityFilter.parse(own)).toEqual(own)
  expect(boundsOf({ range: 'own', from, until: '' }, { ...facts, timeZone: 'Asia/Tokyo' }).from).toBe(own.from)
  // Only the reader's own range reads it.
  expect(boundsOf({ range: 'any', from, until: '' }, facts)).toEqual({})
  expect(firstOf(from, 'Europe/Budapest')).toEqual({ day: '2026-11-21', atMs: Date.UTC(2026, 10, 20, 23, 42) })
  for (const bad of ['2026-11-20T25:00Z', '2026-02-30T10:00Z', '2026-11-20T23:42', '<script>']) {
    expect(boundsOf({ range: 'own', from: bad, until: '' }, facts)).toEqual({})
    expect(firstOf(bad, 'Europe/Budapest')).toEqual({ day: '', atMs: null })
  }
})

test('the filter is one that the call takes, and a value of a foreign address that is none is left out', () => {
  const chosen: Choice = {
    ...NONE,
    text: ' world ',
    who: '0192aaaa-0000-7000-8000-000000000001',
    group: 'files',
    way: 'sftp',
  }
  const filter = filterOf(chosen, { ...facts, types: ['server:file.write', 'server:sftp.write'] })
  expect(filter).toEqual({
    text: 'world',
    types: 'server:file.write,server:sftp.write',
    who: chosen.who,
    group: 'files',
    way: 'sftp',
  })
  expect(ServerActivityFilter.parse(filter)).toEqual(filter)
  expect(filterOf({ ...NONE, who: '<script>' }, facts)).toEqual({})
  expect(filterOf({ ...NONE, who: 'server' }, facts)).toEqual({ who: 'server' })
})
