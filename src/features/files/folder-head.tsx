'use client'
import {
  ClipboardPaste,
  CloudDownload,
  FilePlus,
  FolderPlus,
  FolderUp,
  Search,
  SquareTerminal,
  Upload,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { IconButton } from '@/ui/controls/button.tsx'
import { SftpDialog } from './dialogs/sftp-dialog.tsx'
import { useFiles } from './files-context.tsx'
import { pickedFiles } from './uploads/dropped-files.ts'
import type { Chosen } from './uploads/dropped-files.ts'

type HeadProps = {
  readonly isSearching: boolean
  readonly canPaste: boolean
  readonly onSearch: () => void
  readonly onNew: (kind: 'create-file' | 'create-folder' | 'pull') => void
  readonly onPaste: () => void
  readonly onFiles: (chosen: readonly Chosen[]) => void
}

/** A hidden input that a button opens; with `folder` it takes a whole folder. */
const Picker = ({ folder, onFiles }: { folder?: boolean; onFiles: HeadProps['onFiles'] }) => {
  const t = useTranslations('files')
  const input = useRef<HTMLInputElement>(null)
  const label = t(folder ? 'uploadFolder' : 'upload')
  return (
    <>
      <IconButton
        small
        label={label}
        icon={folder ? <FolderUp className="i" aria-hidden /> : <Upload className="i" aria-hidden />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={(event) => {
          onFiles(pickedFiles(event.target.files))
          // The same file may be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

/** The title of the page and what can be done in the open folder. */
export const FolderHead = ({ isSearching, canPaste, onSearch, onNew, onPaste, onFiles }: HeadProps) => {
  const t = useTranslations('files')
  const { may } = useFiles()
  const mayCreate = may('file.create')
  const [isSftpOpen, setSftpOpen] = useState(false)
  return (
    <header className="fhead">
      <h1 className="grow">{t('title')}</h1>
      {may('file.sftp') ? (
        <IconButton
          small
          label={t('sftp.title')}
          icon={<SquareTerminal className="i" aria-hidden />}
          onClick={() => setSftpOpen(true)}
        />
      ) : null}
      {canPaste && mayCreate ? (
        <IconButton
          small
          label={t('actions.paste')}
          icon={<ClipboardPaste className="i" aria-hidden />}
          onClick={onPaste}
        />
      ) : null}
      <IconButton
        small
        label={t('search.title')}
        aria-pressed={isSearching}
        icon={<Search className="i" aria-hidden />}
        onClick={onSearch}
      />
      {mayCreate ? (
        <>
          <IconButton
            small
            label={t('naming.title.create-file')}
            icon={<FilePlus className="i" aria-hidden />}
            onClick={() => onNew('create-file')}
          />
          <IconButton
            small
            label={t('naming.title.create-folder')}
            icon={<FolderPlus className="i" aria-hidden />}
            onClick={() => onNew('create-folder')}
          />
          <IconButton
            small
            label={t('pull.title')}
            icon={<CloudDownload className="i" aria-hidden />}
            onClick={() => onNew('pull')}
          />
          <Picker folder onFiles={onFiles} />
          <Picker onFiles={onFiles} />
        </>
      ) : null}
      <SftpDialog open={isSftpOpen} onClose={() => setSftpOpen(false)} />
    </header>
  )
}
