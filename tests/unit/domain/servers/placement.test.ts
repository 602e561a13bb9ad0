import { describe, expect, it } from 'vitest'
import { fitsLarger, freeMemoryMiB, placeServer, type PlacementCandidate } from '#domain/servers/placement.ts'

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

describe('a larger size on the same node', () => {
  const has = { memoryMiB: 1000, diskMiB: 2000 }

  it.each([
    ['exactly what may be sold', { usedMemoryMiB: 7000 }, { memoryMiB: 2000, diskMiB: 2000 }, true],
    ['a MiB of the reserve', { usedMemoryMiB: 7001 }, { memoryMiB: 2000, diskMiB: 2000 }, false],
    ['all of the disk, which has no reserve', { usedDiskMiB: 96_000 }, { memoryMiB: 1000, diskMiB: 4000 }, true],
    ['more than the disk', { usedDiskMiB: 96_001 }, { memoryMiB: 1000, diskMiB: 4000 }, false],
    ['what it has, on a node that is oversold', { usedMemoryMiB: 10_000, usedDiskMiB: 100_000 }, has, true],
    ['less of one and too much of the other', { usedMemoryMiB: 8000 }, { memoryMiB: 2000, diskMiB: 1000 }, false],
  ])('takes %s: %j and %j: %s', (_name, changes, wanted, fits) => {
    expect(fitsLarger(node(changes), has, wanted)).toBe(fits)
  })

  it('is refused where nothing is known of the node, and a smaller one is not', () => {
    expect(fitsLarger(undefined, has, { memoryMiB: 1001, diskMiB: 2000 })).toBe(false)
    expect(fitsLarger(undefined, has, { memoryMiB: 999, diskMiB: 2000 })).toBe(true)
  })

  it('fits exactly where a new server of that size would, once its own is gone', () => {
    const wanted = { memoryMiB: 3000, diskMiB: 3000 }
    for (const usedMemoryMiB of [0, 5999, 6000, 6001, 9000]) {
      const placed = placeServer([node({ usedMemoryMiB })], { ...wanted, ports: 0 })
      expect(fitsLarger(node({ usedMemoryMiB }), has, wanted)).toBe(placed.ok)
    }
  })
})
