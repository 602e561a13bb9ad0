import { readFileSync } from 'node:fs'

/** The mounts below a folder, in the order in which they were made. */
export const mountsBelow = (folder: string): string[] =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((at) => at.startsWith(`${folder}/`))
