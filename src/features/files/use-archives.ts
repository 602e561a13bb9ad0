'use client'
import { formatOf } from '#contracts/panel/archive-formats.ts'
import type { WrittenFormat } from '#contracts/panel/archive-formats.ts'
import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { beginJob } from './begin-job.ts'
import { FileTrouble } from './file-trouble.ts'
import type { Files } from './files-context.tsx'
import { useFileCall } from './files-queries.ts'
import { useTroubleText } from './trouble-text.ts'

/** Starts archives and extractions; each resolves with the refusal as a sentence, or null when the work has begun. */
export const useArchives = (files: Files) => {
  const troubleText = useTroubleText()
  const compressing = useFileCall(files, 'compress')
  const extracting = useFileCall(files, 'extract')
  const end = useFileCall(files, 'end-job')

  const begin = async (name: string, start: () => Promise<{ job: FileJob }>): Promise<string | null> => {
    try {
      await beginJob(start, (id) => end.mutateAsync({ id }))
      return null
    } catch (failure) {
      return troubleText(failure, name)
    }
  }

  const compress = (folder: string, names: readonly string[], { name, format }: NewArchive): Promise<string | null> =>
    begin(name, () => compressing.mutateAsync({ folder, names: [...names], to: joinPath(folder, name), format }))

  const extract = (path: string, to: string, replaces: boolean): Promise<string | null> => {
    const format = formatOf(nameOf(path))
    if (format === undefined) return Promise.resolve(troubleText(new FileTrouble('NOT_AN_ARCHIVE'), nameOf(path)))
    return begin(nameOf(path), () => extracting.mutateAsync({ path, format, to, replaces }))
  }

  return { compress, extract }
}

type NewArchive = { readonly name: string; readonly format: WrittenFormat }
