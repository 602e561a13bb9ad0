import { expect, test } from 'vitest'
import { SERVER_WORDS } from '../../../src/domain/servers/status.ts'
import { viewOf } from '../../../src/features/servers/list-view.ts'
import { countWords, watchReport } from '../../../src/features/servers/watch-report.ts'
import { serversOf } from '../../support/fake-site/fixtures.ts'

const list = serversOf(0)
const names = (view: Partial<Parameters<typeof viewOf>[1]>) =>
  viewOf(list, { filter: 'all', sort: 'name', search: '', locale: 'hu', ...view }).map((server) => server.name)

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
