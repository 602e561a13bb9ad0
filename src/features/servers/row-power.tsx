'use client'
import { Play, Power } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { usePower } from '@/lib/queries/use-power.ts'
import { useIsStartOff } from '@/lib/queries/use-switches.ts'
import { useMissingWords } from '@/lib/servers/missing-permissions.tsx'
import { missingForPower, powerActionsFor } from '@/lib/servers/power-actions.ts'
import { useStop } from '@/lib/servers/use-stop.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'

const IN_ROW = ['start', 'stop'] as const

/** Start or stop in place. The other power actions are in the console, where their effect is visible. */
export const RowPower = ({ server }: { server: Server }) => {
  const t = useTranslations('servers')
  const toast = useToast()
  const failureText = useFailureText()
  const power = usePower(server.id)
  const missingWords = useMissingWords()
  const missing = missingForPower(server.status, server.permissions, IN_ROW)
  const action = powerActionsFor(server.status, PERMISSIONS).find((known) => known === 'start' || known === 'stop')
  const tw = useTranslations('switches')
  const isStartOff = useIsStartOff()
  const { isWaiting, stop } = useStop(server)
  const isBusy = power.isPending || isWaiting
  if (action !== 'start' && action !== 'stop') return null
  const isForbidden = missing.length > 0
  const isHeld = isForbidden || (isStartOff && action === 'start')
  const reason = isForbidden ? missingWords(missing) : tw('serverStart')
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
      label={isHeld ? `${label}. ${reason}` : label}
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
