'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { nameOf } from '#contracts/panel/file-path.ts'
import { formatDate } from '@/lib/format/date.ts'
import { bytesText } from '@/lib/format/size.ts'
import { languageOf } from './editor-language.ts'
import type { FileText } from './file-text.ts'
import type { OpenFile } from './use-open-file.ts'
import type { Saving } from './use-saving.ts'

/** Language, encoding, line breaks, size and cursor, and whether the text is saved. */
export const StatusLine = ({
  path,
  file,
  content,
  saving,
  at,
}: {
  path: string
  file: OpenFile
  content: Extract<FileText, { kind: 'text' }>
  saving: Saving
  /** The cursor; null where the text is not shown. */
  at: { line: number; column: number } | null
}) => {
  const t = useTranslations('files.editor')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const clock = (ms: number) => formatDate(ms, locale, { style: 'clock', timeZone })
  return (
    <div className="ed-status" data-dirty={saving.isDirty || undefined}>
      <span>{t(`languages.${languageOf(nameOf(path))}`)}</span>
      <span>UTF-8</span>
      <span>{content.lineBreak === '\n' ? 'LF' : 'CRLF'}</span>
      <span>{bytesText(file.total, locale)}</span>
      {at === null ? null : <span>{t('cursor', at)}</span>}
      <span className="end" role="status">
        {saving.draft?.isKept === true && saving.isDirty ? t('draft', { time: clock(saving.draft.atMs) }) : null}
        {saving.draft?.isKept === false && saving.isDirty ? <b className="warn">{t('noDraft')}</b> : null}
        {saving.savedAtMs !== null && !saving.isDirty ? t('saved', { time: clock(saving.savedAtMs) }) : null}
      </span>
    </div>
  )
}
