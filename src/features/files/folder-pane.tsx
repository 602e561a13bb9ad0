'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { folderOf } from '#contracts/panel/file-path.ts'
import { MissingPermissions, missingOf } from '@/lib/servers/missing-permissions.tsx'
import { BinPanel } from './bin-panel.tsx'
import { Crumbs } from './crumbs.tsx'
import { FolderBody } from './folder-body.tsx'
import { FolderDialogs } from './folder-dialogs.tsx'
import { FolderHead } from './folder-head.tsx'
import { useFiles } from './files-context.tsx'
import { JobsTray } from './jobs/jobs-tray.tsx'
import { SearchPane } from './search-pane.tsx'
import { SelectionBar } from './selection-bar.tsx'
import type { Chosen } from './uploads/dropped-files.ts'
import { UnfinishedNote } from './uploads/unfinished-note.tsx'
import { useDropping } from './uploads/use-dropping.ts'
import { UploadTray } from './uploads/upload-tray.tsx'
import { useUploads } from './uploads/use-uploads.ts'
import { UsageMeter } from './usage-meter.tsx'
import { useChosen } from './use-chosen.ts'
import { useFileActions } from './use-file-actions.ts'
import { useDrop, useFolder, useOrder } from './use-folder.ts'
import type { FilesPlace } from './place.ts'

const USED_HERE = ['file.read', 'file.create', 'file.update', 'file.compress', 'file.sftp'] as const

type PaneProps = { readonly place: FilesPlace; readonly onGo: (next: FilesPlace) => void }

/** One folder: its entries, what can be done with them, the bin below, and the storage. */
export const FolderPane = ({ place, onGo }: PaneProps) => {
  const t = useTranslations('files')
  const files = useFiles()
  const { folder } = place
  const [order, setOrder] = useOrder()
  const [isSearching, setSearching] = useState(false)
  const read = useFolder(folder, order)
  const actions = useFileActions(files)
  const { queue, list } = useUploads(files)
  const onUpload = (into: string, all: readonly Chosen[]) => queue.add(into, all)
  const onDropped = useDropping(files, onUpload)
  const chosen = useChosen({ place, read, actions, onGo, onDropped })
  const { selection } = chosen
  const drop = useDrop((transfer) => onDropped(folder, transfer), files.may('file.create'))
  const count = read.query.data === undefined ? null : t('count', { count: read.total })
  return (
    <section className={drop.isOver ? 'fpane fpane-over' : 'fpane'} aria-label={t('title')} {...drop.events}>
      <FolderHead
        isSearching={isSearching}
        canPaste={actions.clipboard !== null}
        onSearch={() => setSearching(!isSearching)}
        onNew={(kind) => chosen.ask({ kind })}
        onPaste={() => void actions.paste(folder)}
        onFiles={(picked) => onUpload(folder, picked)}
      />
      {selection.chosen.size === 0 && !chosen.isReadingOn ? (
        <Crumbs folder={folder} onGo={chosen.go} end={count} />
      ) : (
        <SelectionBar
          count={selection.chosen.size}
          reading={chosen.isReadingOn ? { read: read.entries.length, total: read.total } : null}
          actions={chosen.possible}
          onAction={chosen.act}
          onClear={chosen.clear}
        />
      )}
      <UnfinishedNote queue={queue} list={list} />
      <UploadTray queue={queue} list={list} />
      <JobsTray />
      {isSearching ? (
        <SearchPane
          folder={folder}
          onOpen={({ path, kind }) => {
            setSearching(false)
            if (kind === 'folder') chosen.go(path)
            else onGo({ folder: folderOf(path), file: path })
          }}
        />
      ) : (
        <FolderBody
          read={read}
          chosen={chosen}
          actions={actions}
          openFile={place.file}
          order={order}
          onOrder={setOrder}
        />
      )}
      <FolderFoot />
      <FolderDialogs
        folder={folder}
        names={chosen.names}
        asked={chosen.asked}
        actions={actions}
        onClose={() => chosen.ask(null)}
      />
    </section>
  )
}

/** The bin and the storage of the whole server, and what the reader may not do with its files. */
const FolderFoot = () => (
  <>
    <BinPanel />
    <UsageMeter />
    <MissingPermissions missing={missingOf(useFiles().server, USED_HERE)} />
  </>
)
