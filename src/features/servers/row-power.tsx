'use client'
import { Play, Power } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { usePower } from '@/lib/queries/use-power.ts'
import { useIsStartOff } from '@/lib/queries/use-switches.ts'
import { powerActionsFor } from '@/lib/servers/power-actions.ts'
import { useStop } from '@/lib/servers/use-stop.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'

/** Start or stop in place. The other power actions are in the console, where their effect is visible. */
export const RowPower = ({ server }: { server: Server }) => {
  const t = useTranslations('servers')
  const toast = useToast()
  const failureText = useFailureText()
  const power = usePower(server.id)
  const action = powerActionsFor(server.status, server.permissions).find(
    (known) => known === 'start' || known === 'stop',
  )
  const tw = useTranslations('switches')
  const isStartOff = useIsStartOff()
  const { isWaiting, stop } = useStop(server)
  const isBusy = power.isPending || isWaiting
  if (action !== 'start' && action !== 'stop') return null
  const isHeld = isStartOff && action === 'start'
  const label = `${t(`actions.${action}`)}: ${server.name}`
  const press = () => {
    if (isBusy || isHeld) return
    const failed = (failure: unknown) => toast({ lamp: 'crash', text: `${server.name}: ${failureText(failure)}` })
    const send = () => void power.mutateAsync(action).catch(failed)
    if (action === 'stop') stop(send)
    else send()
  }
  return (
    <IconButton
      small
      label={isHeld ? `${label}. ${tw('serverStart')}` : label}
      aria-disabled={isBusy || isHeld}
      icon={
        isBusy ? (
          <span className="lamp lamp-busy">
            <LampGlyph kind="busy" />
          </span>
        ) : action === 'start' ? (
          <Play className="i" aria-hidden />
        ) : (
          <Power className="i" aria-hidden />
        )
      }
      onClick={press}
    />
  )
}
