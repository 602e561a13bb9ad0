import { File, FileArchive, FileCog, FileCode, FileImage, FileText, Folder, Link, Plug } from 'lucide-react'
import type { FileEntry } from '#contracts/panel/node-files.ts'
import { kindOfFile } from '../file-kind.ts'

const ICONS = {
  archive: FileArchive,
  settings: FileCog,
  code: FileCode,
  picture: FileImage,
  text: FileText,
  other: File,
} as const

/** The kind of an entry as a drawing; its name stands beside it. */
export const FileIcon = ({ entry }: { entry: Pick<FileEntry, 'name' | 'kind'> }) => {
  const Drawing =
    entry.kind === 'folder'
      ? Folder
      : entry.kind === 'link'
        ? Link
        : entry.kind === 'other'
          ? Plug
          : ICONS[kindOfFile(entry.name)]
  return <Drawing className="i" aria-hidden />
}
