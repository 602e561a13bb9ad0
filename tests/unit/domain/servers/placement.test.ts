import { describe, expect, it } from 'vitest'
import { freeMemoryMiB, placeServer, type PlacementCandidate } from '#domain/servers/placement.ts'

const node = (changes: Partial<PlacementCandidate>): PlacementCandidate => ({
  nodeId: 'a',
  memoryMiB: 10_000,
  diskMiB: 100_000,
  usedMemoryMiB: 0,
  usedDiskMiB: 0,
  freePorts: 10,
  reachable: true,
  ...changes,
})
const demand = { memoryMiB: 1000, diskMiB: 2048, ports: 1 }

describe('placement', () => {
  it('takes the node with the most free memory', () => {
    const nodes = [node({ nodeId: 'a', usedMemoryMiB: 5000 }), node({ nodeId: 'b', usedMemoryMiB: 1000 })]
    expect(placeServer(nodes, demand)).toEqual({ ok: true, nodeId: 'b' })
    expect(placeServer(nodes.toReversed(), demand)).toEqual({ ok: true, nodeId: 'b' })
  })

  it('keeps a tenth of the memory back', () => {
    expect(freeMemoryMiB(node({}))).toBe(9000)
    expect(freeMemoryMiB(node({ usedMemoryMiB: 9500 }))).toBe(0)
    expect(placeServer([node({ usedMemoryMiB: 8000 })], demand)).toMatchObject({ ok: true })
    expect(placeServer([node({ usedMemoryMiB: 8001 })], demand)).toEqual({ ok: false, code: 'NO_CAPACITY' })
  })

  it.each([{ reachable: false }, { usedDiskMiB: 99_000 }, { freePorts: 0 }])('skips a node with %j', (changes) => {
    expect(placeServer([node(changes)], demand)).toEqual({ ok: false, code: 'NO_CAPACITY' })
  })

  it('breaks a tie by id, so a retry chooses the same node', () => {
    expect(placeServer([node({ nodeId: 'b' }), node({ nodeId: 'a' })], demand)).toEqual({ ok: true, nodeId: 'a' })
    expect(placeServer([], demand)).toEqual({ ok: false, code: 'NO_CAPACITY' })
  })
})
