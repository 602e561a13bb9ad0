import type { ReferenceGraph } from './reference-graph.mjs'

export interface ReachedTestsOptions {
  files: readonly string[]
  changed: readonly string[]
  gone?: readonly string[]
  /** The graph of the files, where it is known. */
  naming?: ReferenceGraph
}
export function reachedTests(options: ReachedTestsOptions): Record<string, 'all' | string[]>
