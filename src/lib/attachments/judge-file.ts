import type { AttachmentKind } from '#domain/tickets/attachment.ts'
import { ATTACHMENT_BOUNDS, attachmentContent } from '#domain/tickets/attachment.ts'

/** Why a file is not sent at all. A folder that was dropped cannot be read. */
export const FILE_FAULTS = ['too large', 'empty', 'kind', 'unreadable'] as const
export type FileFault = (typeof FILE_FAULTS)[number]

export type Judged = { readonly kind: AttachmentKind } | { readonly fault: FileFault }

/** The kind of a file, or the reason why it cannot be attached, by the rule that the site applies to its bytes. */
export const judgeFile = async (file: Blob): Promise<Judged> => {
  if (file.size > ATTACHMENT_BOUNDS.bytes) return { fault: 'too large' }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (bytes.length === 0) return { fault: 'empty' }
    const content = attachmentContent(bytes)
    return content === null ? { fault: 'kind' } : { kind: content.kind }
  } catch {
    return { fault: 'unreadable' }
  }
}
