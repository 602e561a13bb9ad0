'use client'
import { useTranslations } from 'next-intl'
import { MissingPermissions } from '@/lib/servers/missing-permissions.tsx'
import { useRestart } from '@/lib/servers/use-restart.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useFiles } from '../files-context.tsx'

/** The saved settings wait for a restart, which the reader can do here. */
export const RestartNote = () => {
  const t = useTranslations('files.form')
  const ts = useTranslations('servers')
  const { mayRestart, missing, isPending, restart } = useRestart(useFiles().server)
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        mayRestart ? (
          <Button size="s" busy={isPending} onClick={restart}>
            {ts('actions.restart')}
          </Button>
        ) : (
          <MissingPermissions missing={missing} />
        )
      }
    >
      {t('needsRestart')}
    </Notice>
  )
}
