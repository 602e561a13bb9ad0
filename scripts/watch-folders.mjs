// Tells of changes below folders. Node's own recursive watch loses a file on Linux once it was replaced by renaming, which is
// how editors, git and sed write; here each folder is watched by itself.
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

const GONE = ['ENOENT', 'ENOTDIR']

/**
 * Calls `onChange` for each change of a file or folder below `roots`; one change may call it several times. `onFault` gets the
 * error with which a folder cannot be watched, once. Returns the function that ends it.
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
    // What stands there now may be another folder than the one that was watched.
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
      // Refuses a file, which its folder tells of.
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
