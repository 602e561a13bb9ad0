import { describe, expect, test } from 'vitest'
import { SERVER_WORDS, shownWordOf } from '../../../../src/domain/servers/status.ts'
import { isSameOrder, sectionsOf, viewOf } from '../../../../src/features/servers/list-view.ts'
import { countWords, watchReport } from '../../../../src/features/servers/watch-report.ts'
import { serversOf } from '../../../support/fake-site/fixtures.ts'

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
  expect(names({ filter: 'attention' })).toEqual(['Hétvégi hadjárat', 'Szigetvár', 'web-01'])
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
  // The running one has a day left.
  expect(shown('attention')).toEqual(['expired', 'running', 'suspended'])
  expect(shown('stopped')).toEqual([])
})

const DAY_MS = 86_400_000
const rowOf = (
  id: string,
  facts: Partial<{ status: (typeof SERVER_WORDS)[number]; serviceName: string; node: string }> = {},
) => {
  const { status = 'running', serviceName = 'Minecraft', node = 'pest-1' } = facts
  const expiry = new Date(30 * DAY_MS).toISOString()
  return {
    id,
    name: id,
    identifier: id,
    status,
    expiry,
    ip: '192.0.2.1',
    port: 1,
    serviceName,
    computer: { name: node },
  }
}
const whole = { filter: 'all', sort: 'own', search: '', game: '', locale: 'en', nowMs: 0 } as const
const groupOf = (id: string, servers: string[]) => ({ id, name: id, folded: false, servers })
const shownIn = (sections: ReturnType<typeof sectionsOf<ReturnType<typeof rowOf>>>) =>
  sections.map(({ group, servers }) => `${group?.id ?? '-'}: ${servers.map(({ id }) => id).join(' ')}`)

describe('groups', () => {
  const servers = [
    rowOf('a', { serviceName: 'Arma', node: 'pest-2' }),
    rowOf('b'),
    rowOf('c', { status: 'crashed' }),
    rowOf('d', { serviceName: 'Bot' }),
  ]
  const layout = { groups: [groupOf('g1', ['c', 'a']), groupOf('g2', [])], loose: ['d'], dense: false }

  test('show the reader’s order; a server of which the order knows nothing is at the end', () => {
    expect(shownIn(sectionsOf(servers, layout, whole))).toEqual(['g1: c a', 'g2: ', '-: d b'])
  })

  test('stay while the rows in them are sorted, by game and by machine too', () => {
    expect(shownIn(sectionsOf(servers, layout, { ...whole, sort: 'name' }))).toEqual(['g1: a c', 'g2: ', '-: b d'])
    expect(shownIn(sectionsOf(servers, layout, { ...whole, sort: 'game' }))).toEqual(['g1: a c', 'g2: ', '-: d b'])
    expect(shownIn(sectionsOf(servers, layout, { ...whole, sort: 'node' }))).toEqual(['g1: c a', 'g2: ', '-: b d'])
  })

  test('without a match are left out while something is filtered', () => {
    expect(shownIn(sectionsOf(servers, layout, { ...whole, game: 'Arma' }))).toEqual(['g1: a'])
    expect(shownIn(sectionsOf(servers, layout, { ...whole, search: 'pest-2' }))).toEqual(['g1: a'])
    expect(shownIn(sectionsOf(servers, layout, { ...whole, search: 'nothing' }))).toEqual([])
  })

  test('keep their rows where they were when a state changes, until the reader asks for the new order', () => {
    const view = { ...whole, sort: 'status' } as const
    const heldWords = new Map(servers.map(({ id, status }) => [id, status]))
    const now = servers.map((server) => (server.id === 'a' ? { ...server, status: 'crashed' as const } : server))
    const held = sectionsOf(now, layout, { ...view, heldWords })
    expect(shownIn(held)).toEqual(['g1: c a', 'g2: ', '-: b d'])
    const fresh = sectionsOf(now, layout, view)
    expect(shownIn(fresh)).toEqual(['g1: a c', 'g2: ', '-: b d'])
    expect([isSameOrder(held, fresh), isSameOrder(held, held)]).toEqual([false, true])
  })
})
