'use client'
import { CloudUpload } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useRef } from 'react'
import type { CSSProperties } from 'react'
import { bytesText } from '@/lib/format/size.ts'
import { Button } from '@/ui/controls/button.tsx'
import type { Upload, UploadQueue } from './upload-queue.ts'
import { useInterrupted } from './use-interrupted.ts'

/** Uploads that a closed page left half done: a browser reads a file again only when its reader chooses it again. */
export const InterruptedNote = ({ queue, list }: { queue: UploadQueue; list: readonly Upload[] }) => {
  const t = useTranslations('files.uploads.unfinished')
  const locale = useLocale()
  const input = useRef<HTMLInputElement>(null)
  const { interrupted, isOther, goOn, discard } = useInterrupted(queue, list)
  const [first] = interrupted
  if (first === undefined) return null
  const sum = (of: 'sent' | 'bytes') => interrupted.reduce((total, each) => total + each[of], 0)
  const [sent, bytes] = [sum('sent'), sum('bytes')]
  return (
    <div
      className="ftray ftray-note"
      role="group"
      aria-label={t('title', { count: interrupted.length, name: first.name })}
    >
      <div className="row">
        <CloudUpload className="i t2" aria-hidden />
        <b className="grow tray-text">{t('title', { count: interrupted.length, name: first.name })}</b>
        <span className="t2 nw small">
          {bytesText(sent, locale)} / {bytesText(bytes, locale)}
        </span>
      </div>
      <span className="meter" style={{ '--v': sent / bytes } as CSSProperties} aria-hidden>
        <i />
      </span>
      <p className="small tray-text" role="status">
        {isOther ? t('other', { name: first.name }) : t('text', { count: interrupted.length })}
      </p>
      <div className="row">
        <Button size="s" look="primary" onClick={() => input.current?.click()}>
          {t('choose', { count: interrupted.length })}
        </Button>
        <Button size="s" onClick={() => void discard()}>
          {t('discard')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('choose', { count: interrupted.length })}
        onChange={(event) => {
          goOn([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </div>
  )
}
