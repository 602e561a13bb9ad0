'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { kindOfFile } from '../file-kind.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { useFiles } from '../files-context.tsx'
import { useTroubleText } from '../trouble-text.ts'
import { useFileActions } from '../use-file-actions.ts'
import { FileIcon } from '../list/file-icon.tsx'
import { useOpenForm } from '../properties/use-open-form.ts'
import { PictureView } from './picture-view.tsx'
import { TextEditor } from './text-editor.tsx'
import { useOpenFile } from './use-open-file.ts'

const Binary = ({ path }: { path: string }) => {
  const t = useTranslations('files.editor')
  const files = useFiles()
  const { take } = useFileActions(files)
  return (
    <div className="ed-other">
      <EmptyState
        picture={<FileIcon entry={{ name: nameOf(path), kind: 'file' }} />}
        action={<Button onClick={() => void take(path)}>{t('download')}</Button>}
      >
        {t('binary')}
      </EmptyState>
    </div>
  )
}

const Opened = ({ path }: { path: string }) => {
  const t = useTranslations('files.editor')
  const tc = useTranslations('common')
  const troubleText = useTroubleText()
  const [from, setFrom] = useState(0)
  const files = useFiles()
  const query = useOpenFile(files, path, from)
  const form = useOpenForm(files, path)
  const reader = useReader()
  // Only the reader begins anew: every query is read again after an outage, and the typed text stays.
  const [round, setRound] = useState(0)
  const [isLost, setLost] = useState(false)
  const again = () => query.refetch().then(({ isError }) => setLost(isError))
  // A text that is here stays, also when its file is gone by a later reading, which the reader has not asked for.
  if (query.isError && (query.data === undefined || isLost)) {
    // A log that was begun anew has no such piece any more: the file is read from its beginning.
    return (
      <div className="ed-other">
        <ErrorState
          action={
            <Button size="s" busy={query.isFetching} onClick={() => (from === 0 ? void again() : setFrom(0))}>
              {tc('retry')}
            </Button>
          }
        >
          {troubleText(query.error, nameOf(path))}
        </ErrorState>
      </div>
    )
  }
  if (query.data === undefined || reader === undefined || form === undefined) {
    return (
      <div className="ed-other">
        <SkeletonRows rows={8} label={t('reading')} />
      </div>
    )
  }
  return query.data.content.kind === 'binary' ? (
    <Binary path={path} />
  ) : (
    <TextEditor
      key={`${round} ${query.data.from}`}
      userId={reader.id}
      path={path}
      form={form}
      file={query.data}
      pieces={query.data.isWhole ? null : { isReading: query.isPlaceholderData, show: setFrom }}
      content={query.data.content}
      reread={() => void again().then(() => setRound(round + 1))}
    />
  )
}

/** The file that is open beside its folder: a text to change, a picture, or a sentence. */
export const EditorPane = ({ path, onClose }: { path: string; onClose: () => void }) => {
  const t = useTranslations('files.editor')
  const name = nameOf(path)
  return (
    <section className="ed" aria-label={t('title', { name })}>
      <header className="ed-tab">
        <button type="button" className="icon-btn icon-btn-s only-phone" aria-label={t('close')} onClick={onClose}>
          <Icon name="back" />
        </button>
        <span className="cut" title={path}>
          {name}
        </span>
        <button type="button" className="icon-btn icon-btn-s only-desk end" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {kindOfFile(name) === 'picture' ? <PictureView key={path} path={path} /> : <Opened key={path} path={path} />}
    </section>
  )
}
