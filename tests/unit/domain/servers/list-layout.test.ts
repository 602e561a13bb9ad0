import { describe, expect, it } from 'vitest'
import {
  arranged,
  changedLayout,
  EMPTY_LAYOUT,
  MAX_SERVER_GROUPS,
  type LayoutChange,
  type ServerLayout,
} from '../../../../src/domain/servers/list-layout.ts'

const group = (id: string, name: string, servers: readonly string[] = []) => ({ id, name, folded: false, servers })
const layout: ServerLayout = {
  groups: [group('g1', 'Community', ['a', 'b']), group('g2', 'Work', ['c'])],
  loose: ['d', 'e'],
  dense: false,
}
const after = (change: LayoutChange, before = layout) => {
  const result = changedLayout(before, change)
  return result.ok ? result.layout : result.code
}
const placesOf = (result: ServerLayout | string) =>
  typeof result === 'string' ? result : [...result.groups.map(({ servers }) => servers.join('')), result.loose.join('')]

describe('the servers of a layout', () => {
  it('are each there once; new ones at the end of those without a group, gone ones nowhere', () => {
    expect(placesOf(arranged(layout, ['x', 'e', 'b', 'c', 'y']))).toEqual(['b', 'c', 'exy'])
    expect(arranged(EMPTY_LAYOUT, ['b', 'a']).loose).toEqual(['b', 'a'])
    const twice = { ...layout, loose: ['a', 'd', 'd', 'e'] }
    expect(placesOf(arranged(twice, ['a', 'b', 'c', 'd', 'e']))).toEqual(['ab', 'c', 'de'])
  })
})

describe('a move', () => {
  it.each([
    ['before another one of the same group', ['b'], 'g1', 'a', ['ba', 'c', 'de']],
    ['into another group', ['d'], 'g2', 'c', ['ab', 'dc', 'e']],
    ['to the end of a group', ['a'], 'g2', null, ['b', 'ca', 'de']],
    ['out of all groups', ['c'], null, 'e', ['ab', '', 'dce']],
    ['of several, in their order', ['e', 'a'], 'g2', null, ['b', 'cea', 'd']],
    ['before one that is no longer there goes to the end', ['a'], 'g2', 'gone', ['b', 'ca', 'de']],
    ['of the same server twice is one move', ['a', 'a'], null, null, ['b', 'c', 'dea']],
  ])('%s', (_, servers, groupId, before, expected) => {
    expect(placesOf(after({ kind: 'move', servers, groupId, before }))).toEqual(expected)
  })

  it('of a server that is none of the person’s, or into no group of theirs, is refused', () => {
    expect(after({ kind: 'move', servers: ['a', 'strange'], groupId: null, before: null })).toBe('NOT_FOUND')
    expect(after({ kind: 'move', servers: ['a'], groupId: 'strange', before: null })).toBe('NOT_FOUND')
  })
})

describe('groups', () => {
  it('are added with servers, once for the same id, and not with a name that another one has', () => {
    const added = { kind: 'addGroup', groupId: 'g3', name: 'Night', servers: ['d', 'a'] } as const
    const next = after(added)
    expect(placesOf(next)).toEqual(['b', 'c', 'da', 'e'])
    expect(typeof next === 'string' ? next : after(added, next)).toEqual(next)
    expect(after({ ...added, name: 'COMMUNITY' })).toBe('GROUP_EXISTS')
    expect(after({ ...added, servers: ['strange'] })).toBe('NOT_FOUND')
  })

  it('are limited', () => {
    const full = { ...layout, groups: Array.from({ length: MAX_SERVER_GROUPS }, (_, at) => group(`${at}`, `n${at}`)) }
    expect(after({ kind: 'addGroup', groupId: 'one more', name: 'x', servers: [] }, full)).toBe('GROUP_LIMIT')
  })

  it('are renamed, also in case only, and folded', () => {
    expect(after({ kind: 'renameGroup', groupId: 'g1', name: 'community' })).toMatchObject({
      groups: [{ id: 'g1', name: 'community', servers: ['a', 'b'] }, { id: 'g2' }],
    })
    expect(after({ kind: 'renameGroup', groupId: 'g2', name: 'community' })).toBe('GROUP_EXISTS')
    expect(after({ kind: 'renameGroup', groupId: 'strange', name: 'x' })).toBe('NOT_FOUND')
    expect(after({ kind: 'fold', groupId: 'g2', folded: true })).toMatchObject({ groups: [{}, { folded: true }] })
  })

  it('are moved, and deleted without their servers', () => {
    expect(after({ kind: 'moveGroup', groupId: 'g2', before: 'g1' })).toMatchObject({
      groups: [{ id: 'g2' }, { id: 'g1' }],
    })
    expect(after({ kind: 'moveGroup', groupId: 'strange', before: null })).toBe('NOT_FOUND')
    const deleted = after({ kind: 'removeGroup', groupId: 'g1' })
    expect(placesOf(deleted)).toEqual(['c', 'deab'])
    expect(typeof deleted === 'string' ? deleted : after({ kind: 'removeGroup', groupId: 'g1' }, deleted)).toEqual(
      deleted,
    )
  })

  it('the density is one for all', () => {
    expect(after({ kind: 'density', dense: true })).toEqual({ ...layout, dense: true })
  })
})
