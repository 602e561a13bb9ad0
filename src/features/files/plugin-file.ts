import { FileTrouble } from './file-trouble.ts'
import type { NodeFiles } from './node-files.ts'

type PluginNode = Pick<NodeFiles, 'read' | 'call'>

/** What disabling has changed, so that it can be undone exactly: the file, and the version of it that was put aside. */
export type PluginChange = { readonly path: string; readonly etag: string }

/** The name under which no game loads the file. */
export const disabledName = (path: string): string => `${path}.disabled`

const move = async (node: PluginNode, from: string, to: string): Promise<void> => {
  const { refusals } = await node.call('move', { moves: [{ from, to }] })
  const [refusal] = refusals
  if (refusal) throw new FileTrouble(refusal)
}

const etagOf = async (node: PluginNode, path: string): Promise<string> =>
  (await node.read(path, { from: 0, limit: 1 })).etag

/** Renames the file of a plugin or mod; a file that already has the new name stays, with the trouble `ALREADY_EXISTS`. */
export const disablePlugin = async (node: PluginNode, path: string): Promise<PluginChange> => {
  await move(node, path, disabledName(path))
  return { path, etag: await etagOf(node, disabledName(path)) }
}

/**
 * Gives the file its name back. A file that has changed meanwhile stays, with the trouble `CHANGED`, and so does one that has
 * the name now, with `ALREADY_EXISTS`.
 */
export const enablePlugin = async (node: PluginNode, { path, etag }: PluginChange): Promise<void> => {
  if ((await etagOf(node, disabledName(path))) !== etag) throw new FileTrouble('CHANGED')
  await move(node, disabledName(path), path)
}
