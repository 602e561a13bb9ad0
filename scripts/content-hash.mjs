import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

function addTo(hash, path, skip) {
  if (!existsSync(path) || skip.test(path)) return
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path).sort()) addTo(hash, join(path, entry), skip)
    return
  }
  const content = readFileSync(path)
  hash.update(`${path}\0${content.length}\0`).update(content)
}

/** A hash of every file at or below the paths; it changes with a name, a content or a removal. 16 hexadecimal digits. */
export function contentHash(paths, skip = /\.tsbuildinfo$/) {
  const hash = createHash('sha256')
  for (const path of paths) addTo(hash, path, skip)
  return hash.digest('hex').slice(0, 16)
}
