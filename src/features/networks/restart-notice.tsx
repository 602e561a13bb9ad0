'use client'
import { useTranslations } from 'next-intl'
import { NeedsRestart } from '@/lib/servers/needs-restart.tsx'
import type { ShownServer } from './port-rights.ts'

/** The running program still has the earlier ports. A reader who may restart the server does it here. */
export const RestartNotice = ({ server }: { server: ShownServer }) => {
  const t = useTranslations('networks.restart')
  return (
    <NeedsRestart server={server} act={t('act')} size="m">
      {t('text')}
    </NeedsRestart>
  )
}
