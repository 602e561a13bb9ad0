import { expect, test } from 'vitest'
import { SERVER_WORDS, shownWordOf } from '../../../src/domain/servers/status.ts'
import { viewOf } from '../../../src/features/servers/list-view.ts'
import { countWords, watchReport } from '../../../src/features/servers/watch-report.ts'
import { serversOf } from '../../support/fake-site/fixtures.ts'

const list = serversOf(0)
const names = (view: Partial<Parameters<typeof viewOf>[1]>) =>
  viewOf(list, { filter: 'all', sort: 'name', search: '', locale: 'hu', nowMs: 0, ...view }).map(
    (server) => server.name,
  )

test('names sort in the reader’s language', () => {
  expect(names({})).toEqual([
    'Hétvégi hadjárat',
    'Kisváros RP',
    'Száműzöttek földje',
    'Szigetvár',
    'Túlélő szerver',
    'web-01',
  ])
})

test('filter by state, search by name or address, sort by day', () => {
  expect(names({ filter: 'attention' })).toEqual(['Szigetvár', 'web-01'])
  expect(names({ filter: 'running' })).toEqual(['Kisváros RP', 'Túlélő szerver'])
  expect(names({ search: 'TÚLÉLŐ' })).toEqual(['Túlélő szerver'])
  expect(names({ search: ':25503' })).toEqual(['Kisváros RP'])
  expect(names({ sort: 'expiry' })[0]).toBe('Hétvégi hadjárat')
  expect(names({ sort: 'status' }).slice(0, 2)).toEqual(['Szigetvár', 'web-01'])
})

test('the headline speaks of the worst state', () => {
  expect(watchReport([])).toEqual({ kind: 'none', count: 0, others: 0 })
  expect(watchReport(['running', 'offline'])).toEqual({ kind: 'fine', count: 2, others: 0 })
  expect(watchReport(['running', 'installing', 'crashed', 'crashed'])).toEqual({ kind: 'crashed', count: 2, others: 2 })
  expect(watchReport(['crashed', 'nodeoffline', 'running'])).toEqual({ kind: 'crashed', count: 1, others: 0 })
  expect(watchReport(['nodeoffline', 'unknown', 'running'])).toEqual({ kind: 'maintenance', count: 2, others: 1 })
})

test('every word is counted exactly once', () => {
  const counts = countWords([...SERVER_WORDS, 'running'])
  expect(counts).toHaveLength(SERVER_WORDS.length)
  expect(counts[0]).toEqual({ word: 'running', count: 2 })
})

test('an expired server is a word of its own in headline, counts, filter and order, whatever its program did last', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  const server = (name: string, status: (typeof SERVER_WORDS)[number], expiry: string) => ({
    name,
    status,
    expiry,
    identifier: name,
    ip: '127.0.0.1',
    port: 1,
  })
  const over = '2026-11-20T10:00:00Z'
  const servers = [
    server('running', 'running', '2026-11-21T10:00:00Z'),
    server('expired', 'offline', over),
    server('suspended', 'suspended', over),
  ]
  const words = servers.map((each) => shownWordOf(each, nowMs))
  expect(words).toEqual(['running', 'expired', 'suspended'])
  expect(watchReport(words.slice(0, 2))).toEqual({ kind: 'expired', count: 1, others: 1 })
  expect(countWords(words)).toContainEqual({ word: 'expired', count: 1 })
  const shown = (filter: 'attention' | 'stopped') =>
    viewOf(servers, { filter, sort: 'name', search: '', locale: 'en', nowMs }).map(({ name }) => name)
  expect(shown('attention')).toEqual(['expired', 'suspended'])
  expect(shown('stopped')).toEqual([])
})
