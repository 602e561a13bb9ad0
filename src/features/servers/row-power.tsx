'use client'
import { Play, Power } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { usePower } from '@/lib/queries/use-power.ts'
import { useIsStartOff } from '@/lib/queries/use-switches.ts'
import { powerActionsFor } from '@/lib/servers/power-actions.ts'
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
  if (action !== 'start' && action !== 'stop') return null
  const isHeld = isStartOff && action === 'start'
  const label = `${t(`actions.${action}`)}: ${server.name}`
  const press = () => {
    if (power.isPending || isHeld) return
    power.mutate(action, {
      onError: (failure) => toast({ lamp: 'crash', text: `${server.name}: ${failureText(failure)}` }),
    })
  }
  return (
    <IconButton
      small
      label={isHeld ? `${label}. ${tw('serverStart')}` : label}
      aria-disabled={power.isPending || isHeld}
      icon={
        power.isPending ? (
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
