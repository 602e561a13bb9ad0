'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { FileTrouble } from '../file-trouble.ts'
import type { Files } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { makeFolders } from '../make-folders.ts'
import { refusedTogether, useTelling } from '../telling.ts'
import type { Outcome } from '../telling.ts'
import { droppedFiles } from './dropped-files.ts'
import type { Chosen, Dropped } from './dropped-files.ts'

/** Why nothing can be dropped here now; undefined where it can. */
const refusalOf = ({ server, isReadOnly, may }: Files): FileTrouble | undefined => {
  if (may('file.create')) return undefined
  if (isReadOnly && server.permissions.includes('file.create')) return new FileTrouble('READ_ONLY')
  return new FileTrouble('FORBIDDEN', { permission: 'file.create' })
}

/** Takes what is dropped from outside: its files are uploaded, its empty folders made, and what cannot be read is named. */
export const useDropping = (files: Files, onUpload: (into: string, all: readonly Chosen[]) => void) => {
  const t = useTranslations('files.uploads')
  const toast = useToast()
  const { fail, tell } = useTelling()
  const client = useQueryClient()
  const makeEmpty = async (into: string, emptyFolders: readonly string[]): Promise<void> => {
    const outcomes: Outcome[] = []
    const there = new Set<string>()
    for (const empty of emptyFolders) {
      const path = joinPath(into, empty)
      try {
        await makeFolders(files.node, path, there)
      } catch (failure) {
        const refused = refusedTogether([path], failure)
        if (refused === undefined) {
          // The others would meet the same.
          fail(failure, into)
          break
        }
        outcomes.push(...refused)
      }
    }
    tell(outcomes)
    await client.invalidateQueries({ queryKey: filesKey(files.server.id) })
  }
  const take = async (into: string, { files: read, emptyFolders, unread }: Dropped): Promise<void> => {
    if (read.length > 0) onUpload(into, read)
    const [first] = unread
    if (first !== undefined) {
      toast({ text: t('unread', { name: nameOf(first), count: unread.length }), lamp: 'crash' })
    }
    if (emptyFolders.length > 0) await makeEmpty(into, emptyFolders)
  }
  return (into: string, transfer: DataTransfer): void => {
    const refusal = refusalOf(files)
    if (refusal !== undefined) fail(refusal, into)
    else void droppedFiles(transfer).then((dropped) => take(into, dropped))
  }
}
export type Dropping = ReturnType<typeof useDropping>
