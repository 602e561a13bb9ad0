import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The project as on a separate machine: everything is the same, but no page cache is shared. Returns the folder. */
export const machineOf = (folder: string): string => {
  mkdirSync(folder)
  for (const name of readdirSync(ROOT)) {
    if (name !== '.next' && name !== '.build' && name !== '.git') symlinkSync(join(ROOT, name), join(folder, name))
  }
  cpSync(join(ROOT, '.next'), join(folder, '.next'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => relative(ROOT, source) !== '.next/cache',
  })
  return folder
}
