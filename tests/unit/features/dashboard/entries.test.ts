import { expect, test } from 'vitest'
import { dashboardEntries, neighbour, panelEntries, standing } from '../../../../src/features/dashboard/entries.ts'
import { panelPlace } from '../../../../src/features/dashboard/panel-path.ts'
import hu from '../../../../src/messages/hu.json'

test('every entry has the columns of the table, and a title in the catalog', () => {
  const all = [...dashboardEntries.flatMap((group) => group.entries), ...panelEntries('s1')]
  for (const entry of all) {
    expect(Object.keys(entry).toSorted()).toEqual([
      'categories',
      'id',
      'link',
      'svgActive',
      'svgInactive',
      'title',
      'viewBox',
    ])
    expect(hu.dashboard.entries[entry.title]).toBeTruthy()
    for (const sub of entry.categories) expect(sub.link.startsWith(`${entry.link}/`)).toBe(true)
  }
  expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length)
})

test.each([
  ['/dashboard/services', '/dashboard/services/game', 'open'],
  ['/dashboard/services/game', '/dashboard/services/game', 'current'],
  ['/dashboard/services/vps', '/dashboard/services/game', 'elsewhere'],
  ['/dashboard/services', '/dashboard/servers', 'elsewhere'],
  ['/dashboard/balance/summary', '/dashboard/balance/ok', 'open'],
  ['/dashboard/summary', '/panel/s1/console', 'elsewhere'],
])('%s stands to %s: %s', (link, path, place) => {
  expect(standing(link, path)).toBe(place)
})

test('Alt+arrows go by the last segment through the dashboard entries and then the panel entries', () => {
  expect(neighbour('/dashboard/services', 1)).toBe('/dashboard/servers')
  expect(neighbour('/dashboard/servers', -1)).toBe('/dashboard/services')
  expect(neighbour('/panel/s1/console', -1, 's1')).toBe('/dashboard/balance/summary')
})

test('past either end, and from a page outside the table, nothing happens', () => {
  expect(neighbour('/dashboard/summary', -1)).toBeUndefined()
  expect(neighbour('/panel/s1/console', 1, 's1')).toBeUndefined()
  expect(neighbour('/dashboard/services/game', 1)).toBeUndefined()
})

test('the panel path names a server and its page', () => {
  expect(panelPlace('/panel/s1')).toEqual({ id: 's1', page: 'console' })
  expect(panelPlace('/panel/s1/files')).toEqual({ id: 's1', page: 'files' })
  expect(panelPlace('/panel')).toBeUndefined()
  expect(panelPlace('/dashboard/servers')).toBeUndefined()
})
