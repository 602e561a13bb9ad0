'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { EDITABLE_BYTES } from '#contracts/panel/node-files.ts'
import type { Files } from '../files-context.tsx'
import { fileText } from './file-text.ts'
import type { FileText } from './file-text.ts'

/** A file as it was when it was opened, or a piece of one that is too large for the editor. */
export type OpenFile = {
  readonly content: FileText
  readonly etag: string
  readonly total: number
  readonly mtimeMs: number
  /** Where the bytes that were read begin and end. */
  readonly from: number
  readonly to: number
  /** The whole file is here; a piece of one cannot be changed. */
  readonly isWhole: boolean
}

/** Reads a file for the editor, at most 4 MiB from a place on. */
export const readOpenFile = async (
  { node }: Files,
  { path, from = 0 }: { path: string; from?: number },
  signal?: AbortSignal,
): Promise<OpenFile> => {
  const { bytes, ...read } = await node.read(path, { from, limit: EDITABLE_BYTES }, signal)
  const to = from + bytes.length
  const [hasStart, hasEnd] = [from === 0, to >= read.total]
  return { content: fileText(bytes, { hasStart, hasEnd }), ...read, from, to, isWhole: hasStart && hasEnd }
}

/** Where the pieces around this one begin. The last one ends with the file, so that it is as long as the others. */
export const piecesAround = ({ from, total }: Pick<OpenFile, 'from' | 'total'>) => {
  const last = Math.max(0, total - EDITABLE_BYTES)
  return {
    first: 0,
    previous: Math.max(0, from - EDITABLE_BYTES),
    next: Math.min(last, from + EDITABLE_BYTES),
    last,
  }
}

/**
 * The file at a path, read once when it is opened: what somebody else saves meanwhile is found when this one is saved. One piece is shown
 * until the next has arrived.
 */
export const useOpenFile = (files: Files, path: string, from: number) =>
  useQuery({
    // Beside the lists, which are read again after each change: the text that is being edited is not.
    queryKey: ['open-file', files.server.id, path, from],
    queryFn: ({ signal }) => readOpenFile(files, { path, from }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
