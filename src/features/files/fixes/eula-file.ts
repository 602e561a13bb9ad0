import { FileTrouble } from '../file-trouble.ts'
import type { NodeFiles } from '../node-files.ts'

export const EULA_FILE = 'eula.txt'
const LINE = /^[ \t]*eula[ \t]*=.*$/im
/** The game's own file is a few lines; a larger one is not its. */
const MAX_BYTES = 65_536

type EulaNode = Pick<NodeFiles, 'read' | 'write' | 'call'>

/** The change by accepting, so that it can be undone exactly. */
export type EulaChange = { readonly before: Uint8Array<ArrayBuffer> | null; readonly etag: string }

/** The file with the line that accepts; everything else in it stays. */
export const acceptedText = (text: string): string => {
  if (LINE.test(text)) return text.replace(LINE, 'eula=true')
  return text === '' || text.endsWith('\n') ? `${text}eula=true\n` : `${text}\neula=true\n`
}

const readEula = (node: EulaNode) =>
  node.read(EULA_FILE, { from: 0, limit: MAX_BYTES }).catch((error: unknown) => {
    if (error instanceof FileTrouble && error.code === 'NOT_FOUND') return null
    throw error
  })

/** Writes that the EULA is accepted, over the version that was read and over no other. */
export const acceptEula = async (node: EulaNode): Promise<EulaChange> => {
  const file = await readEula(node)
  if (file !== null && file.total > MAX_BYTES) throw new FileTrouble('TOO_LARGE')
  const text = acceptedText(file === null ? '' : new TextDecoder().decode(file.bytes))
  const etag = await node.write(EULA_FILE, new TextEncoder().encode(text), file?.etag ?? null)
  return { before: file?.bytes ?? null, etag }
}

/** Puts back the bytes from before; a file that has changed meanwhile stays, with the trouble `CHANGED`. */
export const undoEula = async (node: EulaNode, { before, etag }: EulaChange): Promise<void> => {
  if (before !== null) {
    await node.write(EULA_FILE, before, etag)
    return
  }
  const file = await readEula(node)
  if (file === null) return
  if (file.etag !== etag) throw new FileTrouble('CHANGED')
  const { job, refusals } = await node.call('delete', { paths: [EULA_FILE], forever: false })
  const refusal = job?.refusal ?? refusals[0]
  if (refusal) throw new FileTrouble(refusal)
}
