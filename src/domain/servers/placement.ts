/** A node as a candidate for placement. Memory and disk in MiB. */
export type PlacementCandidate = {
  readonly nodeId: string
  readonly memoryMiB: number
  readonly diskMiB: number
  /** The memory sold to its servers, running or not. */
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

/** The facts of a node that matter for one of its servers. */
export type NodeRoom = Pick<PlacementCandidate, 'memoryMiB' | 'usedMemoryMiB' | 'diskMiB' | 'usedDiskMiB'>

/** The part of a node's memory that is never sold: for the operating system, the agent and the page cache. */
export const MEMORY_RESERVE_PERCENT = 10

/** Memory in MiB that can still be sold on this node. Never negative. */
export function freeMemoryMiB(node: Pick<NodeRoom, 'memoryMiB' | 'usedMemoryMiB'>): number {
  const sellable = node.memoryMiB - Math.ceil((node.memoryMiB * MEMORY_RESERVE_PERCENT) / 100)
  return Math.max(0, sellable - node.usedMemoryMiB)
}

/**
 * Chooses the reachable node with the most free memory that also has enough disk and ports; ties go to the smaller id,
 * so that the result is deterministic. The caller holds the nodes' rows locked while it writes the choice.
 */
export function placeServer(candidates: readonly PlacementCandidate[], demand: PlacementDemand): Placement {
  const fitting = candidates.filter((node) => fits(node, demand))
  const best = fitting.toSorted(
    (a, b) => freeMemoryMiB(b) - freeMemoryMiB(a) || (a.nodeId < b.nodeId ? -1 : a.nodeId > b.nodeId ? 1 : 0),
  )[0]
  return best ? { ok: true, nodeId: best.nodeId } : { ok: false, code: 'NO_CAPACITY' }
}

/**
 * Whether a server that `has` a size fits on its node with the `wanted` one, with the same reserve as a new server.
 * Reductions always fit, also on a node that is oversold or unknown (undefined). `node` counts only the other servers
 * as used.
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
