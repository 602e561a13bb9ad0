import { describe, expect, it } from 'vitest'
import { dropPlace, steppedPlace, type Slot } from '../../../../../src/features/servers/list/drop-place.ts'

const heading = (groupId: string | null, top: number): Slot => ({
  kind: 'heading',
  id: '',
  groupId,
  top,
  bottom: top + 40,
})
const row = (id: string, groupId: string | null, top: number): Slot => ({
  kind: 'row',
  id,
  groupId,
  top,
  bottom: top + 60,
})
const slots = [
  heading('g1', 0),
  row('a', 'g1', 40),
  row('b', 'g1', 100),
  heading('g2', 160),
  heading(null, 200),
  row('c', null, 240),
]

describe('where a dragged server lands', () => {
  it.each([
    ['above the middle of a row: before it', 'c', 105, 'g1', 'b', 100],
    ['below the middle: before the next one', 'c', 95, 'g1', 'b', 100],
    ['below the last one of a group: at its end', 'c', 155, 'g1', null, 160],
    ['on a heading: before the first one of the group', 'c', 20, 'g1', 'a', 40],
    ['on the heading of an empty or folded group: in it', 'a', 180, 'g2', null, 200],
    ['outside of all groups', 'a', 245, null, 'c', 240],
    ['above the list: at its beginning', 'c', -500, 'g1', 'a', 40],
    ['below the list: at its end', 'a', 900, null, null, 300],
    ['its own place is that of its neighbour', 'a', 60, 'g1', 'b', 40],
  ])('%s', (_, id, y, groupId, before, lineY) => {
    expect(dropPlace(slots, id, y)).toEqual({ groupId, before, lineY })
  })

  it('a list of one has no other place', () => {
    expect(dropPlace([row('a', null, 0)], 'a', 10)).toBeNull()
  })
})

describe('a step by key', () => {
  const sections = [
    { group: { id: 'g1' }, servers: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    { group: { id: 'g2' }, servers: [] },
    { group: null, servers: [{ id: 'd' }, { id: 'e' }] },
  ]
  it.each([
    ['down within a group', 'a', 1, { groupId: 'g1', before: 'c' }],
    ['down to the end', 'b', 1, { groupId: 'g1', before: null }],
    ['down out of a group, into an empty one', 'c', 1, { groupId: 'g2', before: null }],
    ['up within a group', 'b', -1, { groupId: 'g1', before: 'a' }],
    ['up out of a group, to the end of the one above', 'd', -1, { groupId: 'g2', before: null }],
    ['up at the beginning: nowhere', 'a', -1, undefined],
    ['down at the end: nowhere', 'e', 1, undefined],
    ['of a server that is not shown', 'x', 1, undefined],
  ] as const)('%s', (_, id, by, expected) => {
    expect(steppedPlace(sections, id, by)).toEqual(expected)
  })
})
