'use client'
import { CloudUpload } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { formatDate } from '@/lib/format/date.ts'
import { bytesText } from '@/lib/format/size.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { SureDialog } from '../dialogs/sure-dialog.tsx'
import { useFiles } from '../files-context.tsx'
import type { Unfinished } from './unfinished.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'
import { useUnfinished } from './use-unfinished.ts'

/** The person who sends it, since when, and its state. */
const useFactsText = () => {
  const t = useTranslations('files.uploads.unfinished')
  const locale = useLocale()
  return ({ way, isPaused, by, startedAtMs }: Unfinished): string => {
    const time = startedAtMs === null ? null : formatDate(startedAtMs, locale, { style: 'stamp' })
    const begun = time === null ? [] : [t('since', { time })]
    const who = way === 'others' ? [by === '' ? t('somebody') : t('by', { name: by })] : []
    const state = way === 'arriving' ? [t('arriving')] : isPaused ? [t('paused')] : []
    return [...who, ...begun, ...state].join(' · ')
  }
}

type RowProps = { readonly upload: Unfinished; readonly onDiscard: (() => void) | null }

const Row = ({ upload, onDiscard }: RowProps) => {
  const t = useTranslations('files.uploads.unfinished')
  const locale = useLocale()
  const facts = useFactsText()(upload)
  const { path, offset, bytes } = upload
  const share = bytes === 0 ? 1 : offset / bytes
  return (
    <li className="unfinished">
      <span className="row">
        <b className="grow cut" title={path}>
          {nameOf(path)}
        </b>
        <span className="t2 nw small">
          {bytesText(offset, locale)} / {bytesText(bytes, locale)}
        </span>
        {onDiscard === null ? null : (
          <IconButton
            small
            label={t('discardOne', { name: nameOf(path) })}
            icon={<Icon name="close" />}
            onClick={onDiscard}
          />
        )}
      </span>
      <span className="meter" style={{ '--v': share } as CSSProperties} aria-hidden>
        <i />
      </span>
      {facts === '' ? null : <span className="small t2">{facts}</span>}
    </li>
  )
}

type ChooseProps = {
  readonly resumable: readonly Unfinished[]
  readonly isBusy: boolean
  readonly onChoose: (files: readonly File[]) => void
  readonly onDiscard: () => void
}

/** A browser reads a file again only when its reader chooses it again. */
const ChooseFiles = ({ resumable, isBusy, onChoose, onDiscard }: ChooseProps) => {
  const t = useTranslations('files.uploads.unfinished')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="row">
      <Button size="s" look="primary" busy={isBusy} onClick={() => input.current?.click()}>
        {t('choose', { count: resumable.length })}
      </Button>
      <Button size="s" onClick={onDiscard}>
        {t('discard')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose', { count: resumable.length })}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </div>
  )
}

/** Uploads that are not complete and that this page does not send: the reader's own from any browser, and those of others. */
export const UnfinishedNote = ({ queue, list }: { queue: UploadQueue; list: readonly Upload[] }) => {
  const t = useTranslations('files.uploads.unfinished')
  const { server } = useFiles()
  const { unfinished, resumable, choice, choose, discard } = useUnfinished(queue, list)
  const [asked, setAsked] = useState<Unfinished | null>(null)
  const [first] = unfinished
  if (first === undefined) return null
  const title = t('title', { count: unfinished.length, name: nameOf(first.path) })
  const mayAll = server.permissions.includes('file.update')
  const isForeign = unfinished.some(({ way }) => way === 'others')
  const own = resumable[0]
  const text = (): string | null => {
    if (choice === 'checking') return t('checking')
    if (own === undefined) return null
    if (choice === 'other') return t('other', { name: own.name, count: resumable.length })
    return choice === 'unknown' ? t('unknown') : t('text', { count: resumable.length })
  }
  const discarding = (upload: Unfinished) => (upload.way === 'others' ? setAsked(upload) : void discard([upload]))
  return (
    <div className="ftray ftray-note" role="group" aria-label={title}>
      <div className="row">
        <CloudUpload className="i t2" aria-hidden />
        <b className="grow tray-text">{title}</b>
      </div>
      <ul className="unfinished-list">
        {unfinished.map((upload) => {
          const may = upload.way === 'others' ? mayAll : upload.way === 'resume'
          return <Row key={upload.id} upload={upload} onDiscard={may ? () => discarding(upload) : null} />
        })}
      </ul>
      <p className="small tray-text" role="status">
        {text()}
      </p>
      {isForeign && !mayAll ? <p className="small t2">{t('needsUpdate')}</p> : null}
      {resumable.length === 0 ? null : (
        <ChooseFiles
          resumable={resumable}
          isBusy={choice === 'checking'}
          onChoose={(files) => void choose(files)}
          onDiscard={() => void discard(resumable)}
        />
      )}
      <SureDialog
        open={asked !== null}
        title={t('sureTitle', { name: nameOf(asked?.path ?? '') })}
        act={t('sureAct')}
        onAct={() => discard(asked === null ? [] : [asked])}
        onClose={() => setAsked(null)}
      >
        <p>{asked?.by ? t('sureText', { name: asked.by }) : t('sureTextSomebody')}</p>
      </SureDialog>
    </div>
  )
}
