// Watches folders for changes. On Linux Node's own recursive watch loses a file that was replaced by renaming, which is
// how editors, git and sed write; here each folder is watched separately.
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

const GONE = ['ENOENT', 'ENOTDIR']

/**
 * Calls `onChange` for each change of a file or folder below `roots`, possibly several times. `onFault` receives the
 * error of a folder that cannot be watched, once. Returns the stop function.
 */
export function watchFolders(roots, { onChange, onFault }) {
  const watchers = new Map()
  let isFaulty = false
  let isOver = false
  const fail = (error) => {
    if (!isFaulty && !isOver) onFault(error)
    isFaulty = true
  }
  const remove = (folder) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder) => {
    if (isOver) return
    // The folder may have been replaced by another one.
    remove(folder)
    try {
      const watcher = watch(folder, (event, name) => {
        if (event === 'rename' && name !== null) add(join(folder, name))
        onChange()
      })
      watchers.set(
        folder,
        watcher.on('error', () => remove(folder)),
      )
      // Throws for a file, whose changes its folder reports.
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) add(join(folder, entry.name))
    } catch (error) {
      remove(folder)
      if (!GONE.includes(error.code)) fail(error)
    }
  }
  for (const root of roots) add(root)
  return () => {
    isOver = true
    for (const folder of [...watchers.keys()]) remove(folder)
  }
}
