'use client'
import { useTranslations } from 'next-intl'
import { useRestart } from '@/lib/servers/use-restart.ts'
import { MissingPermissions } from '@/lib/servers/missing-permissions.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import type { ShownServer } from './port-rights.ts'

/** The running program still has the earlier ports. A reader who may restart the server does it here. */
export const RestartNotice = ({ server }: { server: ShownServer }) => {
  const t = useTranslations('networks.restart')
  const { mayRestart, missing, isPending, restart } = useRestart(server)
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        mayRestart ? (
          <Button busy={isPending} onClick={restart}>
            {t('act')}
          </Button>
        ) : (
          <MissingPermissions missing={missing} />
        )
      }
    >
      {t('text')}
    </Notice>
  )
}
