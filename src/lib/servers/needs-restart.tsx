'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { MissingPermissions } from './missing-permissions.tsx'
import { useRestart } from './use-restart.ts'

type NeedsRestartProps = {
  server: Pick<Server, 'id' | 'status' | 'permissions'>
  /** The words of the button; without them those of the power action. */
  act?: string
  size?: 's' | 'm'
  children: ReactNode
}

/** A notice about a change that waits for a restart, which the reader can do here if they have the permission. */
export const NeedsRestart = ({ server, act, size = 's', children }: NeedsRestartProps) => {
  const t = useTranslations('servers')
  const { mayRestart, missing, isPending, restart } = useRestart(server)
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        mayRestart ? (
          <Button size={size} busy={isPending} onClick={restart}>
            {act ?? t('actions.restart')}
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
