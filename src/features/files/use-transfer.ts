'use client'
import { partsOfPath } from '#contracts/panel/file-path.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import { useTranslations } from 'next-intl'
import { beginJob } from './begin-job.ts'
import type { ChosenTransfer, TransferFault } from './dialogs/transfer-dialog.tsx'
import { FileTrouble } from './file-trouble.ts'
import { nodeFilesOf, type Files } from './files-context.tsx'
import { useFileCall } from './files-queries.ts'
import { sendPortions } from './portions.ts'
import { useTroubleText } from './trouble-text.ts'

/** Only the folder on the other server can be refused like this before anything begins. */
const OF_FOLDER: readonly (FileRefusal | 'AWAY')[] = ['NOT_FOUND', 'NOT_A_FOLDER', 'LINK_REFUSED', 'INVALID_PATH']

/** Starts a transfer to another server; resolves with the refusal and its field, or null when it has begun. */
export const useTransfer = (files: Files) => {
  const t = useTranslations('files.transfer')
  const troubleText = useTroubleText()
  const transferring = useFileCall(files, 'transfer')
  const end = useFileCall(files, 'end-job')
  return async (
    paths: readonly string[],
    { server, folder, moves, taken }: ChosenTransfer,
  ): Promise<TransferFault | null> => {
    const noFolder: TransferFault = { isOfFolder: true, text: t('noFolder') }
    if (partsOfPath(folder) === undefined) return noFolder
    try {
      const token = await nodeFilesOf(server).token()
      const sent = await sendPortions(paths, (portion) =>
        beginJob(
          () => transferring.mutateAsync({ paths: portion, server, token, folder, moves, taken }),
          (id) => end.mutateAsync({ id }),
        ),
      )
      for (const each of sent) if ('failure' in each) throw each.failure
      return null
    } catch (failure) {
      if (failure instanceof FileTrouble && OF_FOLDER.includes(failure.code)) return noFolder
      return { isOfFolder: false, text: troubleText(failure) }
    }
  }
}
