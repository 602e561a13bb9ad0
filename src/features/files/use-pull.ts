'use client'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import type { PullRequest } from '#contracts/panel/node-files.ts'
import { beginJob } from './begin-job.ts'
import type { PullFault } from './dialogs/pull-faults.ts'
import { FileTrouble } from './file-trouble.ts'
import type { Files } from './files-context.tsx'
import { useFileCall } from './files-queries.ts'
import { useTroubleText } from './trouble-text.ts'

/** The field that a refusal is about, where it is about one. */
const FIELDS: Partial<Readonly<Record<FileRefusal | 'AWAY', PullFault['field']>>> = {
  ALREADY_EXISTS: 'name',
  INVALID_PATH: 'name',
  NOT_FOUND: 'folder',
  NOT_A_FOLDER: 'folder',
  LINK_REFUSED: 'folder',
}

/** Starts a download from the web; resolves with the refusal and its field, or null when it has begun. */
export const usePull = (files: Files) => {
  const troubleText = useTroubleText()
  const pulling = useFileCall(files, 'pull')
  const end = useFileCall(files, 'end-job')
  return async (request: PullRequest): Promise<PullFault | null> => {
    try {
      await beginJob(
        () => pulling.mutateAsync(request),
        (id) => end.mutateAsync({ id }),
      )
      return null
    } catch (failure) {
      const field = (failure instanceof FileTrouble ? FIELDS[failure.code] : undefined) ?? 'address'
      return {
        field,
        text: troubleText(failure, field === 'folder' ? request.folder : (request.name ?? request.address)),
      }
    }
  }
}
