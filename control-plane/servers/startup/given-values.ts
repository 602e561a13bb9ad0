import { containerListenIp, givenSource, type GivenSource } from '#contracts/agent/placeholder.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'

export type Given = { readonly source: GivenSource; readonly value: string }

/** The value that the node sets for a variable of this server, and its source; undefined for a variable that the node does not set. */
export function givenTo({ allocations, limits, image }: ServerSpec, name: string): Given | undefined {
  const source = givenSource(name)
  if (source === undefined) return undefined
  if (source === 'memory') return { source, value: String(limits.memoryMiB) }
  const primary = allocations.find((allocation) => allocation.primary) ?? allocations[0]
  if (primary === undefined) return undefined
  if (source === 'port') return { source, value: String(primary.port) }
  return { source, value: image === null ? primary.ip : containerListenIp(primary.ip) }
}
