import { expect, test } from 'vitest'
import { mergeServers, withServerWord } from '../../../../src/lib/queries/server-store.ts'

test('one entry for each id, by either of its names; the later one wins in the earlier place', () => {
  const merged = mergeServers<{ id?: string; serverId?: string; name: string }>(
    [
      { id: 'a', name: 'old' },
      { id: 'b', name: 'b' },
    ],
    [
      { serverId: 'a', name: 'new' },
      { id: 'c', name: 'c' },
    ],
  )
  expect(merged.map((entry) => entry.name)).toEqual(['new', 'b', 'c'])
})

test('entries with neither id are one when their contents are equal, whatever the order of their keys', () => {
  const merged = mergeServers<Record<string, unknown>>(
    [{ name: 'x', node: { ip: '1', url: 'u' } }],
    [
      { node: { url: 'u', ip: '1' }, name: 'x' },
      { name: 'y', node: { ip: '1', url: 'u' } },
    ],
  )
  expect(merged).toHaveLength(2)
})

test('an id never equals a content', () => {
  expect(mergeServers<Record<string, string>>([{ id: '{}' }], [{}])).toHaveLength(2)
})

test('a state event changes one server, and nothing when nothing changes', () => {
  const list = [
    { id: 'a', status: 'offline' as const },
    { serverId: 'b', status: 'offline' as const },
  ]
  expect(withServerWord(list, 'b', 'running').map((entry) => entry.status)).toEqual(['offline', 'running'])
  expect(withServerWord(list, 'a', 'offline')).toBe(list)
  expect(withServerWord(list, 'z', 'running')).toBe(list)
})
