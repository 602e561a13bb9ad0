'use client'
import { useQuery } from '@tanstack/react-query'
import { EDITABLE_BYTES } from '#contracts/panel/node-files.ts'
import type { Files } from '../files-context.tsx'
import { fileText } from './file-text.ts'
import type { FileText } from './file-text.ts'

/** A file as it was when it was opened. */
export type OpenFile = {
  readonly content: FileText
  readonly etag: string
  readonly total: number
  readonly mtimeMs: number
  /** The whole file is here; otherwise it is shown from its beginning, and cannot be changed. */
  readonly isWhole: boolean
}

/** Reads a file for the editor, at most its first 4 MiB. */
export const readOpenFile = async ({ node }: Files, path: string, signal?: AbortSignal): Promise<OpenFile> => {
  const { bytes, ...read } = await node.read(path, { from: 0, limit: EDITABLE_BYTES }, signal)
  const isWhole = bytes.length >= read.total
  return { content: fileText(bytes, isWhole), ...read, isWhole }
}

/** The file at a path, read once when it is opened: what somebody else saves meanwhile is found when this one is saved. */
export const useOpenFile = (files: Files, path: string) =>
  useQuery({
    // Beside the lists, which are read again after each change: the text that is being edited is not.
    queryKey: ['open-file', files.server.id, path],
    queryFn: ({ signal }) => readOpenFile(files, path, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
