export interface ReachedTestsOptions {
  files: readonly string[]
  changed: readonly string[]
  gone: readonly string[]
  read?: (path: string) => string
}
export function reachedTests(options: ReachedTestsOptions): Record<string, 'all' | string[]>
