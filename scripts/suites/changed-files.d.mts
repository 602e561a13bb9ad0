export interface Change {
  branch: string
  commit: string
  files: string[]
  changed: string[]
  gone: string[]
}
export function changedFiles(options?: { root?: string; since?: string }): Change
