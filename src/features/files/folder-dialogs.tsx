'use client'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { CompressDialog } from './dialogs/compress-dialog.tsx'
import { ExtractDialog } from './dialogs/extract-dialog.tsx'
import { ModeDialog } from './dialogs/mode-dialog.tsx'
import { MoveDialog } from './dialogs/move-dialog.tsx'
import { NameDialog } from './dialogs/name-dialog.tsx'
import { PullDialog } from './dialogs/pull-dialog.tsx'
import { SureDialog } from './dialogs/sure-dialog.tsx'
import { TransferDialog } from './dialogs/transfer-dialog.tsx'
import { FileTrouble } from './file-trouble.ts'
import { useFiles } from './files-context.tsx'
import { useFileCall } from './files-queries.ts'
import { useTroubleText } from './trouble-text.ts'
import { useArchives } from './use-archives.ts'
import { useOtherServers } from './use-other-servers.ts'
import { usePull } from './use-pull.ts'
import { useTransfer } from './use-transfer.ts'
import type { FileActions } from './use-file-actions.ts'

/** The open question to the reader. */
export type Asked =
  | { readonly kind: 'create-file' | 'create-folder' | 'pull' }
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'compress'; readonly names: readonly string[] }
  | { readonly kind: 'extract'; readonly name: string }
  | { readonly kind: 'move' | 'transfer'; readonly paths: readonly string[] }
  | { readonly kind: 'mode'; readonly paths: readonly string[]; readonly mode: number }

type DialogsProps = {
  readonly folder: string
  readonly names: readonly string[]
  readonly asked: Asked | null
  readonly actions: FileActions
  readonly onClose: () => void
}

/** Gives a name to something; resolves with the refusal as a sentence, or null. */
const useNaming = (folder: string, asked: Asked | null) => {
  const files = useFiles()
  const troubleText = useTroubleText()
  const makeFile = useFileCall(files, 'create-file')
  const makeFolder = useFileCall(files, 'create-folder')
  const move = useFileCall(files, 'move')
  return async (name: string): Promise<string | null> => {
    const path = joinPath(folder, name)
    try {
      if (asked?.kind === 'create-file') await makeFile.mutateAsync({ path })
      else if (asked?.kind === 'create-folder') await makeFolder.mutateAsync({ path })
      else if (asked?.kind === 'rename') {
        const { refusals } = await move.mutateAsync({ moves: [{ from: joinPath(folder, asked.name), to: path }] })
        if (refusals[0]) throw new FileTrouble(refusals[0])
      }
      return null
    } catch (failure) {
      return troubleText(failure, name)
    }
  }
}

const TransferQuestion = ({ paths, onClose }: { paths: readonly string[]; onClose: () => void }) => {
  const files = useFiles()
  const onTransfer = useTransfer(files)
  return (
    <TransferDialog
      paths={paths}
      servers={useOtherServers(files.server)}
      mayMove={files.may('file.update')}
      onTransfer={(chosen) => onTransfer(paths, chosen)}
      onClose={onClose}
    />
  )
}

type PullQuestionProps = Pick<ComponentProps<typeof PullDialog>, 'open' | 'folder' | 'taken' | 'onClose'>

const PullQuestion = (props: PullQuestionProps) => {
  const files = useFiles()
  return <PullDialog {...props} mayReplace={files.may('file.update')} onPull={usePull(files)} />
}

/** Every question of a folder. */
export const FolderDialogs = ({ folder, names, asked, actions, onClose }: DialogsProps) => {
  const t = useTranslations('files')
  const files = useFiles()
  const archives = useArchives(files)
  const onName = useNaming(folder, asked)
  const isNaming = asked?.kind === 'create-file' || asked?.kind === 'create-folder' || asked?.kind === 'rename'
  return (
    <>
      <NameDialog
        question={isNaming ? asked.kind : null}
        name={asked?.kind === 'rename' ? asked.name : ''}
        taken={names}
        onName={onName}
        onClose={onClose}
      />
      <MoveDialog
        paths={asked?.kind === 'move' ? asked.paths : []}
        from={folder}
        onMove={async (into) => {
          const paths = asked?.kind === 'move' ? asked.paths : []
          await actions.moveAll(paths.map((from) => ({ from, to: joinPath(into, nameOf(from)) })))
        }}
        onClose={onClose}
      />
      <ModeDialog
        mode={asked?.kind === 'mode' ? asked.mode : null}
        count={asked?.kind === 'mode' ? asked.paths.length : 0}
        onMode={(mode) => actions.changeMode(asked?.kind === 'mode' ? asked.paths : [], mode)}
        onClose={onClose}
      />
      <CompressDialog
        names={asked?.kind === 'compress' ? asked.names : []}
        taken={names}
        onCompress={(name, format) => {
          const chosen = asked?.kind === 'compress' ? asked.names : []
          return archives.compress(folder, chosen, { name, format })
        }}
        onClose={onClose}
      />
      <ExtractDialog
        name={asked?.kind === 'extract' ? asked.name : null}
        taken={names}
        mayReplace={files.may('file.update')}
        onExtract={(into, replaces) => {
          const archive = joinPath(folder, asked?.kind === 'extract' ? asked.name : '')
          return archives.extract(archive, into === null ? folder : joinPath(folder, into), replaces)
        }}
        onClose={onClose}
      />
      <TransferQuestion paths={asked?.kind === 'transfer' ? asked.paths : []} onClose={onClose} />
      <PullQuestion open={asked?.kind === 'pull'} folder={folder} taken={names} onClose={onClose} />
      <SureDialog
        open={actions.tooLarge.length > 0}
        title={t('tooLarge.title', { count: actions.tooLarge.length, name: nameOf(actions.tooLarge[0] ?? '') })}
        act={t('tooLarge.act')}
        onAct={() => actions.deleteAll(actions.tooLarge, true)}
        onClose={() => actions.setTooLarge([])}
      >
        <p>{t('tooLarge.text')}</p>
      </SureDialog>
    </>
  )
}
