'use client'
import { useTranslations } from 'next-intl'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { RestartNote } from './restart-note.tsx'
import type { PropertiesView } from './use-properties-view.ts'

/** Why a file has no form. */
const useReason = ({ wrongLine, opened }: PropertiesView): string => {
  const t = useTranslations('files.form')
  if (wrongLine !== null) return t('unreadableYaml', { line: wrongLine })
  return t(opened?.form.format === 'yaml' ? 'notSettings' : 'unreadable')
}

/** The one sentence above the settings: a value that is not accepted, a file that cannot be read, or a restart that is due. */
export const FormNotes = ({ view, needsRestart }: { view: PropertiesView; needsRestart: boolean }) => {
  const t = useTranslations('files.form')
  const reason = useReason(view)
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
        {reason}
      </Notice>
    )
  }
  return needsRestart ? <RestartNote /> : null
}
