import fs from 'node:fs'
import path from 'node:path'

const rootsOf = (dataDir: string): string[] => {
  const servers = path.join(dataDir, 'agent/servers')
  return fs.readdirSync(servers).map((identifier) => path.join(servers, identifier, 'root'))
}

/** The names at the top of each server's folder on the node of a demo, by that folder's path. */
export const namesInFolders = (dataDir: string): Map<string, Set<string>> =>
  new Map(
    rootsOf(dataDir)
      .filter((root) => fs.existsSync(root))
      .map((root) => [root, new Set(fs.readdirSync(root))]),
  )

/** Removes what stands beside the names that `found` has; a folder that it does not have stays as it is. */
export const removeOthers = (dataDir: string, found: Map<string, Set<string>>): void => {
  for (const root of rootsOf(dataDir)) {
    const names = found.get(root)
    if (names === undefined || !fs.existsSync(root)) continue
    for (const name of fs.readdirSync(root)) {
      if (!names.has(name)) fs.rmSync(path.join(root, name), { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
