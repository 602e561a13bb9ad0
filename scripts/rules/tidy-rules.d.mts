export interface Tree {
  root: string
  files: string[]
  read(path: string): string
}

export interface Problem {
  path: string
  message: string
}

type Check = (tree: Tree) => Problem[] | Promise<Problem[]>

export const RULES: Record<
  | 'top-level'
  | 'kebab-case'
  | 'forbidden-names'
  | 'mirrored-tests'
  | 'tests-are-run'
  | 'file-length'
  | 'folder-size'
  | 'unfinished'
  | 'suppressions'
  | 'machine-paths'
  | 'amounts'
  | 'skipped-tests'
  | 'pinned-versions'
  | 'locked-hashes'
  | 'message-catalogs'
  | 'picture'
  | 'named-paths',
  Check
>

export function listFiles(root: string, folder?: string): string[]

export function tidy(root: string): Promise<{ files: number; problems: (Problem & { rule: string })[] }>
