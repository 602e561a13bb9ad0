import { moveBack, moveFiles } from './moved-files.ts'
import type { MovedFiles, MovingNode } from './moved-files.ts'

/** The change by disabling, so that it can be undone exactly: the file, and the version of it that was put aside. */
export type PluginChange = { readonly path: string; readonly moved: MovedFiles }

/** The name under which no game loads the file. */
export const disabledName = (path: string): string => `${path}.disabled`

/** Renames the file of a plugin or mod; a file that already has the new name stays, with the trouble `ALREADY_EXISTS`. */
export const disablePlugin = async (node: MovingNode, path: string): Promise<PluginChange> => ({
  path,
  moved: await moveFiles(node, [{ from: path, to: disabledName(path) }]),
})

/**
 * Gives the file its name back. A file that has changed meanwhile stays, with the trouble `CHANGED`, and so does one that
 * has the name now, with `ALREADY_EXISTS`.
 */
export const enablePlugin = (node: MovingNode, { moved }: PluginChange): Promise<void> => moveBack(node, moved)
