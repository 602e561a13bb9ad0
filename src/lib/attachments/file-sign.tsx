import { FileArchive, FileText, Image, File as AnyFile } from 'lucide-react'
import type { AttachmentKind } from '#domain/tickets/attachment.ts'

const SIGNS = { picture: Image, text: FileText, archive: FileArchive } as const

/** The icon of what a file is; a plain sheet while nobody knows. */
export const FileSign = ({ kind }: { kind: AttachmentKind | null }) => {
  const Sign = kind === null ? AnyFile : SIGNS[kind]
  return <Sign className="att-sign" size={20} strokeWidth={1.75} aria-hidden />
}
