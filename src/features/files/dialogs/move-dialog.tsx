'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowUp, Folder } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { folderOf, joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useFiles } from '../files-context.tsx'
import { folderQuery } from '../files-queries.ts'
import { useTroubleText } from '../trouble-text.ts'

type MoveDialogProps = {
  /** Empty: closed. */
  readonly paths: readonly string[]
  readonly from: string
  readonly onMove: (folder: string) => Promise<void>
  readonly onClose: () => void
}

const Folders = ({ at, paths, onGo }: { at: string; paths: readonly string[]; onGo: (folder: string) => void }) => {
  const t = useTranslations('files')
  const files = useFiles()
  const troubleText = useTroubleText()
  const query = useInfiniteQuery(folderQuery(files, at, { by: 'name', descending: false }))
  const { hasNextPage, isFetching, fetchNextPage } = query
  // Folders stand before files: once a file has come, there are no more.
  const hasMore = hasNextPage && query.data?.pages.at(-1)?.entries.at(-1)?.kind === 'folder'
  useEffect(() => {
    if (hasMore && !isFetching) void fetchNextPage()
  }, [hasMore, isFetching, fetchNextPage])
  if (query.isError) return <p role="alert">{troubleText(query.error, nameOf(at))}</p>
  if (query.data === undefined) return <SkeletonRows rows={5} />
  const folders = query.data.pages.flatMap(({ entries }) => entries).filter(({ kind }) => kind === 'folder')
  const open = folders.filter(({ name }) => !paths.includes(joinPath(at, name)))
  return (
    <ul className="mfolders" aria-label={t('moving.folders')}>
      {at === '' ? null : (
        <li>
          <button type="button" onClick={() => onGo(folderOf(at))}>
            <ArrowUp className="i" aria-hidden />
            {t('moving.up')}
          </button>
        </li>
      )}
      {open.map(({ name }) => (
        <li key={name}>
          <button type="button" onClick={() => onGo(joinPath(at, name))}>
            <Folder className="i" aria-hidden />
            <span className="cut">{name}</span>
          </button>
        </li>
      ))}
      {open.length === 0 ? <li className="t2">{t('moving.none')}</li> : null}
    </ul>
  )
}

const MoveForm = ({ paths, from, onMove, onClose }: MoveDialogProps) => {
  const t = useTranslations('files')
  const tc = useTranslations('common')
  const [at, setAt] = useState(from)
  const [isBusy, setBusy] = useState(false)
  const move = async () => {
    setBusy(true)
    await onMove(at)
    setBusy(false)
    onClose()
  }
  return (
    <>
      <p className="mono small mpath">{at === '' ? t('top') : at}</p>
      <Folders at={at} paths={paths} onGo={setAt} />
      <div className="dialog__end">
        <Button onClick={onClose}>{tc('cancel')}</Button>
        <Button look="primary" busy={isBusy} disabled={at === from} onClick={() => void move()}>
          {t('moving.here')}
        </Button>
      </div>
    </>
  )
}

/** Chooses the folder that things are moved into. */
export const MoveDialog = (props: MoveDialogProps) => {
  const t = useTranslations('files')
  const tc = useTranslations('common')
  const { paths, onClose } = props
  const name = nameOf(paths[0] ?? '')
  return (
    <Dialog
      open={paths.length > 0}
      onClose={onClose}
      title={t('moving.title', { count: paths.length, name })}
      closeLabel={tc('close')}
    >
      {paths.length === 0 ? null : <MoveForm {...props} />}
    </Dialog>
  )
}
