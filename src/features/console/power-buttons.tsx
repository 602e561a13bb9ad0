'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { PowerAction, Server } from '#contracts/http/server.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { usePower } from '@/lib/queries/use-power.ts'
import { useIsStartOff } from '@/lib/queries/use-switches.ts'
import { isStart, missingForPower, powerActionsFor } from '@/lib/servers/power-actions.ts'
import { MissingPermissions } from '@/lib/servers/missing-permissions.tsx'
import { useStop } from '@/lib/servers/use-stop.ts'
import { Button } from '@/ui/controls/button.tsx'
import type { ButtonLook } from '@/ui/controls/button.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'

const looks: Readonly<Record<PowerAction, ButtonLook>> = {
  start: 'primary',
  restart: 'plain',
  stop: 'danger',
  kill: 'danger',
}

/** The available power actions, and which permission is missing for the others. Kill appears while the server is stopping, and asks for confirmation. */
export const PowerButtons = ({ server, word }: { server: Server; word: ServerWord }) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const ts = useTranslations('servers')
  const toast = useToast()
  const failureText = useFailureText()
  const power = usePower(server.id)
  const tw = useTranslations('switches')
  const isStartOff = useIsStartOff()
  const actions = powerActionsFor(word, server.permissions)
  const isHeld = (action: PowerAction) => isStartOff && isStart(action)
  const [asking, setAsking] = useState(false)
  const { isWaiting, stop, supersede } = useStop(server)
  const ask = (action: PowerAction) => {
    if (power.isPending) return
    const send = () =>
      void power.mutateAsync(action).catch((failure: unknown) => toast({ lamp: 'crash', text: failureText(failure) }))
    if (action === 'stop') return stop(send)
    supersede()
    send()
  }
  return (
    <div className="power" role="group" aria-label={t('power')}>
      <MissingPermissions missing={missingForPower(word, server.permissions)} />
      {actions.some(isHeld) ? <span className="small t2">{tw('serverStart')}</span> : null}
      {actions.map((action) => (
        <Button
          key={action}
          look={looks[action]}
          busy={(power.isPending && power.variables === action) || (isWaiting && action === 'stop')}
          aria-disabled={isHeld(action) || undefined}
          onClick={() => (action === 'kill' ? setAsking(true) : isHeld(action) ? undefined : ask(action))}
        >
          {ts(`actions.${action}`)}
        </Button>
      ))}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('killTitle', { name: server.name })}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('killWait')}</Button>
            <Button
              look="danger-solid"
              onClick={() => {
                setAsking(false)
                ask('kill')
              }}
            >
              {ts('actions.kill')}
            </Button>
          </>
        }
      >
        <p>{t('killText')}</p>
      </Dialog>
    </div>
  )
}
