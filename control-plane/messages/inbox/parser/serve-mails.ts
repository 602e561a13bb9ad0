import type { Transferable } from 'node:worker_threads'
import { parentPort } from 'node:worker_threads'
import type { MailContent, ReadContent } from '../mail-content.ts'

/** The words between the thread of the parser and its owner, who sends the bytes of a mail. */
export type ParserWord =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly content: MailContent }
  | { readonly kind: 'failed'; readonly reason: string }

/** The files in memory of their own, which is handed over and not copied. */
const handedOver = (content: MailContent): { readonly content: MailContent; readonly memory: Transferable[] } => {
  const { parsed } = content
  if (parsed === null) return { content, memory: [] }
  const files = parsed.files.map((file) => ({ ...file, bytes: new Uint8Array(file.bytes) }))
  return { content: { ...content, parsed: { ...parsed, files } }, memory: files.map(({ bytes }) => bytes.buffer) }
}

/** Answers each mail that the owner of this thread sends. */
export const serveMails = (read: ReadContent): void => {
  const port = parentPort
  if (port === null) throw new Error('The parser of mails is a thread of the control plane.')
  const tell = (word: ParserWord, memory: Transferable[] = []): void => port.postMessage(word, memory)
  port.on('message', (source: Uint8Array) => {
    read(source).then(
      (found) => {
        const { content, memory } = handedOver(found)
        tell({ kind: 'read', content }, memory)
      },
      (error: unknown) => tell({ kind: 'failed', reason: String(error) }),
    )
  })
  tell({ kind: 'ready' })
}
