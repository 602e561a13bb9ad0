import { FileTrouble } from '../file-trouble.ts'
import type { NodeFiles } from '../node-files.ts'

export type MovingNode = Pick<NodeFiles, 'read' | 'call'>
export type FileMove = { readonly from: string; readonly to: string }
/** Files that were renamed, with the version of each, so that it can be undone exactly. */
export type MovedFiles = readonly (FileMove & { readonly etag: string })[]

const move = async (node: MovingNode, { from, to }: FileMove): Promise<void> => {
  const { refusals } = await node.call('move', { moves: [{ from, to }] })
  const [refusal] = refusals
  if (refusal) throw new FileTrouble(refusal)
}

export const etagOf = async (node: MovingNode, path: string): Promise<string> =>
  (await node.read(path, { from: 0, limit: 1 })).etag

/** Renames one file after the other. When one is refused, those before it get their names back. */
const moveInOrder = async (node: MovingNode, moves: readonly FileMove[]): Promise<void> => {
  const done: FileMove[] = []
  try {
    for (const each of moves) {
      await move(node, each)
      done.push(each)
    }
  } catch (error) {
    for (const { from, to } of done.toReversed()) await move(node, { from: to, to: from })
    throw error
  }
}

/** Renames files; none is put over another one: it is refused with `ALREADY_EXISTS`, and everything stays. */
export const moveFiles = async (node: MovingNode, moves: readonly FileMove[]): Promise<MovedFiles> => {
  await moveInOrder(node, moves)
  return Promise.all(moves.map(async (each) => ({ ...each, etag: await etagOf(node, each.to) })))
}

/**
 * Gives the files their names back. When one of them has changed since, all stay, with the trouble `CHANGED`; when something
 * has one of their names now, with `ALREADY_EXISTS`.
 */
export const moveBack = async (node: MovingNode, moved: MovedFiles): Promise<void> => {
  for (const { to, etag } of moved) if ((await etagOf(node, to)) !== etag) throw new FileTrouble('CHANGED')
  await moveInOrder(
    node,
    moved.toReversed().map(({ from, to }) => ({ from: to, to: from })),
  )
}
