/** A node as the order sees it. Memory and disk in MiB. */
export type PlacementCandidate = {
  readonly nodeId: string
  readonly memoryMiB: number
  readonly diskMiB: number
  /** What servers on it were promised, running or not. */
  readonly usedMemoryMiB: number
  readonly usedDiskMiB: number
  readonly freePorts: number
  readonly reachable: boolean
}

export type PlacementDemand = { readonly memoryMiB: number; readonly diskMiB: number; readonly ports: number }

export type Placement =
  { readonly ok: true; readonly nodeId: string } | { readonly ok: false; readonly code: 'NO_CAPACITY' }

/** Memory and disk of one server, in MiB. */
export type PlacedSize = { readonly memoryMiB: number; readonly diskMiB: number }

/** What of a node matters for a server that is on it already. */
export type NodeRoom = Pick<PlacementCandidate, 'memoryMiB' | 'usedMemoryMiB' | 'diskMiB' | 'usedDiskMiB'>

/** Part of a node's memory that is never sold: the operating system, the agent and the page cache live in it. */
export const MEMORY_RESERVE_PERCENT = 10

/** Memory in MiB that can still be promised on this node. Never negative. */
export function freeMemoryMiB(node: Pick<NodeRoom, 'memoryMiB' | 'usedMemoryMiB'>): number {
  const sellable = node.memoryMiB - Math.ceil((node.memoryMiB * MEMORY_RESERVE_PERCENT) / 100)
  return Math.max(0, sellable - node.usedMemoryMiB)
}

/**
 * Chooses the reachable node with the most free memory that also has the disk and the ports; ties go to the smaller id,
 * so the same input always gives the same node. The caller holds the nodes' rows locked while it writes the choice.
 */
export function placeServer(candidates: readonly PlacementCandidate[], demand: PlacementDemand): Placement {
  const fitting = candidates.filter((node) => fits(node, demand))
  const best = fitting.toSorted(
    (a, b) => freeMemoryMiB(b) - freeMemoryMiB(a) || (a.nodeId < b.nodeId ? -1 : a.nodeId > b.nodeId ? 1 : 0),
  )[0]
  return best ? { ok: true, nodeId: best.nodeId } : { ok: false, code: 'NO_CAPACITY' }
}

/**
 * Whether a server that `has` a size fits on its node with the `wanted` one, by the same reserve as a new server. What it gives up
 * always fits, also on a node that has been oversold or is not known any more (undefined). `node` counts the other servers alone as used.
 */
export function fitsLarger(node: NodeRoom | undefined, has: PlacedSize, wanted: PlacedSize): boolean {
  const memory = wanted.memoryMiB <= has.memoryMiB || (node !== undefined && freeMemoryMiB(node) >= wanted.memoryMiB)
  const disk =
    wanted.diskMiB <= has.diskMiB || (node !== undefined && node.diskMiB - node.usedDiskMiB >= wanted.diskMiB)
  return memory && disk
}

function fits(node: PlacementCandidate, demand: PlacementDemand): boolean {
  return (
    node.reachable &&
    freeMemoryMiB(node) >= demand.memoryMiB &&
    node.diskMiB - node.usedDiskMiB >= demand.diskMiB &&
    node.freePorts >= demand.ports
  )
}
