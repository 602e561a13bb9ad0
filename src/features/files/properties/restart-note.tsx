'use client'
import { useTranslations } from 'next-intl'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { usePower } from '@/lib/queries/use-power.ts'
import { useIsStartOff } from '@/lib/queries/use-switches.ts'
import { powerActionsFor } from '@/lib/servers/power-actions.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useFiles } from '../files-context.tsx'

/** The saved settings wait for a restart, which the reader can do here. */
export const RestartNote = () => {
  const t = useTranslations('files.form')
  const ts = useTranslations('servers')
  const toast = useToast()
  const failureText = useFailureText()
  const { server } = useFiles()
  const power = usePower(server.id)
  const isStartOff = useIsStartOff()
  const mayRestart = !isStartOff && powerActionsFor(server.status, server.permissions).includes('restart')
  const restart = () =>
    void power.mutateAsync('restart').catch((failure: unknown) => toast({ lamp: 'crash', text: failureText(failure) }))
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        mayRestart ? (
          <Button size="s" busy={power.isPending} onClick={restart}>
            {ts('actions.restart')}
          </Button>
        ) : undefined
      }
    >
      {t('needsRestart')}
    </Notice>
  )
}
