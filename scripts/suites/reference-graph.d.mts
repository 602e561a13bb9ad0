/** A file or folder, and the files that refer to it. */
export type ReferenceGraph = Map<string, string[]>
export interface ReferenceGraphOptions {
  files: readonly string[]
  gone?: readonly string[]
  read?: (path: string) => string
}
export function referenceGraph(options: ReferenceGraphOptions): ReferenceGraph
export function reachedFrom(naming: ReferenceGraph, changed: Iterable<string>): Set<string>
