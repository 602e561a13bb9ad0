'use client'
import { useTranslations } from 'next-intl'
import { usePower } from '@/lib/queries/use-power.ts'
import { powerActionsFor } from '@/lib/servers/power-actions.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { usePortFailure } from './port-rights.ts'
import type { ShownServer } from './port-rights.ts'

/** The running program still has the earlier ports. Whoever may restart the server does it here. */
export const RestartNotice = ({ server }: { server: ShownServer }) => {
  const t = useTranslations('networks.restart')
  const failureText = usePortFailure()
  const power = usePower(server.id)
  const mayRestart = powerActionsFor(server.status, server.permissions).includes('restart')
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        mayRestart ? (
          <Button busy={power.isPending} onClick={() => power.mutate('restart')}>
            {t('act')}
          </Button>
        ) : null
      }
    >
      {t('text')}
      {power.error === null ? null : <p role="alert">{failureText(power.error)}</p>}
    </Notice>
  )
}
