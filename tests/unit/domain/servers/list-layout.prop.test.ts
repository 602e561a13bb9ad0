import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  arranged,
  changedLayout,
  EMPTY_LAYOUT,
  type LayoutChange,
  type ServerLayout,
} from '../../../../src/domain/servers/list-layout.ts'

const SERVERS = ['a', 'b', 'c', 'd', 'e', 'f']
const GROUPS = ['g1', 'g2', 'g3']
const anyServer = fc.constantFrom(...SERVERS)
const anyGroup = fc.constantFrom(...GROUPS)
const some = fc.array(anyServer, { minLength: 1, maxLength: 4 })

const move = fc.record({
  kind: fc.constant('move' as const),
  servers: some,
  groupId: fc.option(anyGroup),
  before: fc.option(anyServer),
})
const anyChange: fc.Arbitrary<LayoutChange> = fc.oneof(
  move,
  fc.record({ kind: fc.constant('addGroup' as const), groupId: anyGroup, name: fc.string(), servers: some }),
  fc.record({ kind: fc.constant('removeGroup' as const), groupId: anyGroup }),
  fc.record({ kind: fc.constant('renameGroup' as const), groupId: anyGroup, name: fc.string() }),
  fc.record({ kind: fc.constant('moveGroup' as const), groupId: anyGroup, before: fc.option(anyGroup) }),
  fc.record({ kind: fc.constant('fold' as const), groupId: anyGroup, folded: fc.boolean() }),
  fc.record({ kind: fc.constant('density' as const), dense: fc.boolean() }),
)

const serversOf = ({ groups, loose }: ServerLayout) => [...groups.flatMap(({ servers }) => servers), ...loose]
const after = (layout: ServerLayout, change: LayoutChange) => {
  const result = changedLayout(layout, change)
  return result.ok ? result.layout : layout
}
const start = arranged(EMPTY_LAYOUT, SERVERS)

it('no sequence of changes loses a server, shows one twice, or gives two groups the same name', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
      const layout = changes.reduce(after, start)
      expect(serversOf(layout).toSorted()).toEqual(SERVERS)
      const names = layout.groups.map(({ name }) => name.toLowerCase())
      expect(new Set(names).size).toBe(names.length)
    }),
  )
})

it('a move leaves all others in their order, and its servers beside one another in theirs', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 12 }), move, (changes, change) => {
      const before = changes.reduce(after, start)
      const result = changedLayout(before, change)
      if (!result.ok) return
      const moved = [...new Set(change.servers)]
      const rest = (layout: ServerLayout) =>
        [...layout.groups.map(({ servers }) => servers), layout.loose].map((ids) =>
          ids.filter((id) => !moved.includes(id)),
        )
      expect(rest(result.layout)).toEqual(rest(before))
      const target = result.layout.groups.find(({ id }) => id === change.groupId)?.servers ?? result.layout.loose
      expect(target.join('')).toContain(moved.join(''))
      // A second request finds the same place.
      expect(after(result.layout, change)).toEqual(result.layout)
    }),
  )
})
