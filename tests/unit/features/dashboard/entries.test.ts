import { expect, test } from 'vitest'
import { builtPanelPages } from '#contracts/features.ts'
import {
  dashboardEntries,
  isOutside,
  neighbour,
  panelEntries,
  standing,
} from '../../../../src/features/dashboard/entries.ts'
import { panelPlace } from '../../../../src/features/dashboard/panel-path.ts'
import hu from '../../../../src/messages/hu.json'

const outside = { statusUrl: 'https://status.example.com', helpUrl: 'https://bakter.example.com/en#footer' }

test('the panel’s menu has the pages of the build and no other, in its order', () => {
  expect(panelEntries('s1').map(({ link }) => link)).toEqual(builtPanelPages.map((page) => `/panel/s1/${page}`))
})

test('every entry has the columns of the table, and a title in the catalog', () => {
  const all = [...dashboardEntries(outside).flatMap((group) => group.entries), ...panelEntries('s1')]
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
    // The first page of the balance is its summary, so its entry leads there.
    const root = entry.link.replace(/\/summary$/, '')
    for (const sub of entry.categories) {
      expect(sub.link.startsWith(`${root}/`)).toBe(true)
      expect(hu.dashboard.entries[sub.title]).toBeTruthy()
    }
  }
  expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length)
})

test.each([
  ['/dashboard/services', '/dashboard/services/game', 'open'],
  ['/dashboard/services/game', '/dashboard/services/game', 'current'],
  ['/dashboard/services/vps', '/dashboard/services/game', 'elsewhere'],
  ['/dashboard/services', '/dashboard/servers', 'elsewhere'],
  ['/dashboard/balance/summary', '/dashboard/balance/ok', 'open'],
  ['/dashboard/balance/summary', '/dashboard/spin', 'open'],
  ['/dashboard/balance/summary', '/dashboard/premium', 'open'],
  ['/dashboard/summary', '/panel/s1/console', 'elsewhere'],
  ['/dashboard/settings', '/dashboard/settings/security', 'open'],
  ['/dashboard/tickets', '/dashboard/tickets', 'current'],
  ['/dashboard/tickets', '/dashboard/ticket', 'open'],
  ['/dashboard/tickets', '/dashboard/ticket/t-1', 'open'],
  ['/dashboard/servers', '/dashboard/ticket/t-1', 'elsewhere'],
  ['/blog', '/panel/s1/console', 'elsewhere'],
  ['https://site.test/en#footer', '/panel/s1/console', 'elsewhere'],
])('%s stands to %s: %s', (link, path, place) => {
  expect(standing(link, path)).toBe(place)
})

test('Alt+arrows go by the last segment through the dashboard entries and then the panel entries', () => {
  expect(neighbour('/dashboard/services', 1)).toBe('/dashboard/servers')
  expect(neighbour('/dashboard/servers', -1)).toBe('/dashboard/services')
  expect(neighbour('/dashboard/servers', 1)).toBe('/dashboard/tickets')
  expect(neighbour('/dashboard/settings', 1, { panelId: 's1' })).toBe('/panel/s1/console')
  expect(neighbour('/panel/s1/console', -1, { panelId: 's1' })).toBe('/dashboard/settings')
  expect(neighbour('/panel/s1/console', 1, { panelId: 's1' })).toBe('/panel/s1/files')
  expect(neighbour('/panel/s1/files', 1, { panelId: 's1' })).toBe('/panel/s1/networks')
  expect(neighbour('/panel/s1/networks', 1, { panelId: 's1' })).toBe('/panel/s1/startup')
  expect(neighbour('/panel/s1/startup', 1, { panelId: 's1' })).toBe('/panel/s1/users')
  expect(neighbour('/panel/s1/users', 1, { panelId: 's1' })).toBe('/panel/s1/activities')
  // The dashboard has activities too: the whole link decides which.
  expect(neighbour('/panel/s1/activities', 1, { panelId: 's1' })).toBe('/panel/s1/settings')
})

test('a file is a page of the files, whatever its name', () => {
  for (const file of ['a.txt', 'settings', 'world/console'])
    expect(neighbour(`/panel/s1/edit/${file}`, 1, { panelId: 's1' })).toBe('/panel/s1/networks')
  expect(neighbour('/panel/s1', 1, { panelId: 's1' })).toBe('/panel/s1/files')
})

test('of two entries with one last segment the one of the whole path is meant', () => {
  expect(neighbour('/dashboard/balance/summary', -1)).toBe('/dashboard/tickets')
  expect(neighbour('/dashboard/summary', 1)).toBe('/dashboard/services')
})

test('links that leave dashboard and panel are passed over, so that the keys never end on a page without them', () => {
  expect(neighbour('/dashboard/settings', 1, { outside })).toBeUndefined()
  expect(neighbour('/panel/s1/console', -1, { outside, panelId: 's1' })).toBe('/dashboard/settings')
})

test('past either end, and from a page outside the table, nothing happens', () => {
  expect(neighbour('/dashboard/summary', -1)).toBeUndefined()
  expect(neighbour('/panel/s1/settings', 1, { panelId: 's1' })).toBeUndefined()
  expect(neighbour('/dashboard/services/game', 1)).toBeUndefined()
})

test('status and help stand in the table as far as the host has them, and lead outside', () => {
  const ids = (links: Parameters<typeof dashboardEntries>[0]) =>
    dashboardEntries(links).flatMap((group) => group.entries.map(({ id, link }) => [id, isOutside(link)]))
  expect(ids(outside).slice(-3)).toEqual([
    ['status', true],
    ['help', true],
    ['blog', false],
  ])
  expect(ids({ statusUrl: null, helpUrl: null }).slice(-2)).toEqual([
    ['settings', false],
    ['blog', false],
  ])
})

test('the panel path names a server and its page', () => {
  expect(panelPlace('/panel/s1')).toEqual({ id: 's1', page: 'console' })
  expect(panelPlace('/panel/s1/files')).toEqual({ id: 's1', page: 'files' })
  expect(panelPlace('/panel/s1/')).toEqual({ id: 's1', page: 'console' })
  expect(panelPlace('/panel/%zz/files')).toEqual({ id: '%zz', page: 'files' })
  expect(panelPlace('/panel')).toBeUndefined()
  expect(panelPlace('/dashboard/servers')).toBeUndefined()
})
