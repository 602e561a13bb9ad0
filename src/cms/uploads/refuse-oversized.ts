import { stat } from 'node:fs/promises'
import path from 'node:path'
import { isOversizedPicture } from '../../identity/people/rewrite-picture.ts'

/** Files whose answer is kept; a larger library is looked at again. */
const KEPT = 2_000

/**
 * Answers 404 for a file of the folder that was stored before the bound of uploads, and has more pixels than they may have: a browser
 * that opens it would decode all of them. Nothing for any other file. Each version of a file is looked at once.
 */
export const refuseOversized = (folder: string) => {
  const known = new Map<string, Promise<boolean>>()
  const look = (key: string, file: string): Promise<boolean> => {
    const kept = known.get(key)
    if (kept !== undefined) return kept
    if (known.size >= KEPT) known.clear()
    const looked = isOversizedPicture(file)
    known.set(key, looked)
    return looked
  }
  return async (filename: string): Promise<Response | undefined> => {
    const file = path.join(folder, path.basename(filename))
    const stats = await stat(file).catch(() => undefined)
    if (stats === undefined) return undefined
    const isOversized = await look(`${file} ${stats.size} ${stats.mtimeMs}`, file)
    return isOversized ? new Response(null, { status: 404 }) : undefined
  }
}
