'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { MissingPermissions } from './missing-permissions.tsx'
import { useRestart } from './use-restart.ts'

/** A notice about saved settings that wait for a restart, which the reader can do here if they have the permission. */
export const NeedsRestart = ({
  server,
  children,
}: {
  server: Pick<Server, 'id' | 'status' | 'permissions'>
  children: ReactNode
}) => {
  const t = useTranslations('servers')
  const { mayRestart, missing, isPending, restart } = useRestart(server)
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        mayRestart ? (
          <Button size="s" busy={isPending} onClick={restart}>
            {t('actions.restart')}
          </Button>
        ) : (
          <MissingPermissions missing={missing} />
        )
      }
    >
      {children}
    </Notice>
  )
}
