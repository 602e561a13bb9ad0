import { withEdits, withoutEdits } from '#domain/config-files/property-edits.ts'
import type { PropertyEdit } from '#domain/config-files/property-edits.ts'
import { SERVER_PROPERTIES_FILE } from '#domain/config-files/server-properties.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { NodeFiles } from '../node-files.ts'

type PropertiesNode = Pick<NodeFiles, 'read' | 'write'>

/** The game's own file is a few kilobytes; a larger one is not its. */
const MAX_BYTES = 262_144

/** The file as it was read. Each character is one byte, so that whatever its encoding, the rest of it stays as it is. */
export type PropertiesFile = { readonly text: string; readonly etag: string }

/** The changed settings, and the file before and after the change, so that it can be undone. */
export type PropertiesChange = {
  readonly edits: readonly PropertyEdit[]
  readonly before: string
  readonly etag: string
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (char) => char.charCodeAt(0))

/** Reads server.properties; null where the server has none. */
export const readPropertiesFile = async (node: PropertiesNode): Promise<PropertiesFile | null> => {
  try {
    const { bytes, etag, total } = await node.read(SERVER_PROPERTIES_FILE, { from: 0, limit: MAX_BYTES })
    if (total > MAX_BYTES) return null
    return { text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''), etag }
  } catch (error) {
    if (error instanceof FileTrouble && error.code === 'NOT_FOUND') return null
    throw error
  }
}

const write = (node: PropertiesNode, text: string | undefined, etag: string): Promise<string> => {
  if (text === undefined) throw new FileTrouble('CHANGED')
  return node.write(SERVER_PROPERTIES_FILE, bytesOf(text), etag)
}

/** Writes the new values over the version that was read; `CHANGED` for any other one. */
export const editProperties = async (
  node: PropertiesNode,
  file: PropertiesFile,
  edits: readonly PropertyEdit[],
): Promise<PropertiesChange> => ({
  edits,
  before: file.text,
  etag: await write(node, withEdits(file.text, edits), file.etag),
})

/**
 * Puts back the bytes from before, or, after the server has written the file itself, the earlier values. A value that
 * somebody has changed since stays, with the trouble `CHANGED`.
 */
export const undoEdits = async (node: PropertiesNode, change: PropertiesChange): Promise<void> => {
  const now = await readPropertiesFile(node)
  if (now === null) throw new FileTrouble('CHANGED')
  const text = now.etag === change.etag ? change.before : withoutEdits(now.text, change.edits)
  await write(node, text, now.etag)
}
