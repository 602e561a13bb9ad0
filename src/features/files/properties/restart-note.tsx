'use client'
import { useTranslations } from 'next-intl'
import { NeedsRestart } from '@/lib/servers/needs-restart.tsx'
import { useFiles } from '../files-context.tsx'

/** The saved settings wait for a restart, which the reader can do here. */
export const RestartNote = () => {
  const t = useTranslations('files.form')
  return <NeedsRestart server={useFiles().server}>{t('needsRestart')}</NeedsRestart>
}
