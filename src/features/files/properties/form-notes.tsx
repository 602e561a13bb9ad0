'use client'
import { useTranslations } from 'next-intl'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { RestartNote } from './restart-note.tsx'
import type { PropertiesView } from './use-properties-view.ts'

/** What the settings need now: another value, another spelling, or a restart. */
export const FormNotes = ({ view, needsRestart }: { view: PropertiesView; needsRestart: boolean }) => {
  const t = useTranslations('files.form')
  if (view.isRefused) {
    return (
      <Notice tone="stop" role="alert">
        {t('refused')}
      </Notice>
    )
  }
  if (!view.isReadable) {
    return (
      <Notice tone="wait" role="status">
        {t('unreadable')}
      </Notice>
    )
  }
  return needsRestart ? <RestartNote /> : null
}
