'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { NoServer } from '@/lib/servers/server-region.tsx'
import { isNoServer, useServer } from '@/lib/servers/use-server.ts'
import { LeaveGuardContext, useLeaveGuard } from '@/ui/screen/leave-guard.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { FilesContext, filesOf } from './files-context.tsx'
import { FolderPane } from './folder-pane.tsx'
import { LeaveDialog } from './editor/leave-dialog.tsx'
import { isSamePlace, useFilesPlace } from './place.ts'
import type { FilesPlace } from './place.ts'

// The editor is the largest part, and most visits open no file.
const EditorPane = dynamic(() => import('./editor/editor-pane.tsx').then((file) => file.EditorPane), { ssr: false })

const Panes = ({ server }: { server: Server }) => {
  const t = useTranslations('files')
  const [place, goTo] = useFilesPlace(server.id)
  const guard = useLeaveGuard()
  const go = (next: FilesPlace) => {
    if (!isSamePlace(next, place)) guard.ask(() => goTo(next))
  }
  const files = useMemo(() => filesOf(server, Date.now()), [server])
  const { file } = place
  if (!files.may('file.list')) {
    return (
      <div className="page">
        <h1>{t('title')}</h1>
        <EmptyState>{t('trouble.permissions.list')}</EmptyState>
      </div>
    )
  }
  return (
    <FilesContext value={files}>
      <LeaveGuardContext value={guard}>
        {files.isReadOnly ? (
          <Notice tone="wait" className="fread">
            {t(server.suspended ? 'suspended' : 'expired')}
          </Notice>
        ) : null}
        <div className={file === null ? 'files' : 'files files-open'}>
          <FolderPane place={place} onGo={go} />
          {file === null ? null : <EditorPane path={file} onClose={() => go({ folder: place.folder, file: null })} />}
        </div>
        <LeaveDialog guard={guard} />
      </LeaveGuardContext>
    </FilesContext>
  )
}

/** The files of one server: its folders, and the file that is open. */
export const FilesPage = ({ id }: { id: string }) => {
  const t = useTranslations('files')
  const query = useServer(id)
  const phase = useTogether(query)
  if (query.data === undefined && isNoServer(query.error)) {
    return (
      <div className="page">
        <h1>{t('title')}</h1>
        <NoServer>{t('gone')}</NoServer>
      </div>
    )
  }
  return (
    <Together phase={phase} reading={t('readingAll')}>
      <Region query={query} skeleton={<SkeletonRows rows={10} />} failed={t('failed')}>
        {(server) => <Panes server={server} />}
      </Region>
    </Together>
  )
}
