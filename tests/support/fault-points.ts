import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const POINT = /\bfaults\('([a-z][a-z0-9.-]*)'\)/g

/** The names of all fault points in the sources below these folders, so that no unvisited one is added. */
export function faultPointsIn(...folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const names = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(POINT)].map(([, name = '']) => name))
  return [...new Set(names)].toSorted()
}
