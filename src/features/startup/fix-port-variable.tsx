'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PLACEHOLDER, placeholderOf } from '#contracts/agent/placeholder.ts'
import type { ServerStartup } from '#contracts/http/panel/startup.ts'
import type { Server } from '#contracts/http/server.ts'
import { failedPortOf, portVariablePlan } from '#domain/known-errors/port-variable-fix.ts'
import type { PortVariablePlan } from '#domain/known-errors/port-variable-fix.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { FixDone, FocusKept, StartAgain } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { startupPlaceOf } from './startup-context.tsx'
import { startupQuery, useChangeStartup } from './startup-queries.ts'

type Edit = Extract<PortVariablePlan, { is: 'edit' }>
/** The change, and the version of the settings that it has made. */
type PortChange = { readonly plan: Edit; readonly version: number }

/** The ports that the arguments of the start name by their places. */
const portsOfProgram = ({ command, ports }: ServerStartup): readonly number[] => {
  const primary = ports.findIndex((port) => port.primary)
  return command
    .flatMap((argument) => [...argument.matchAll(PLACEHOLDER)].map(([, text = '']) => placeholderOf(text)))
    .flatMap((place) => (place?.is === 'port' ? [ports[place.index ?? primary]?.port ?? 0] : []))
}

const usePortVariable = (server: Server) => {
  const t = useTranslations('console.known.portVariable')
  const toast = useToast()
  const failureText = useFailureText()
  const startup = useChangeStartup(server.id)
  const [change, setChange] = useState<PortChange | null>(null)
  const apply = async (plan: Edit, now: number) => {
    try {
      const { version } = await startup.mutateAsync({ version: now, variables: { [plan.variable]: plan.to } })
      setChange({ plan, version })
    } catch (error) {
      toast({ lamp: 'crash', text: failureText(error) })
    }
  }
  const undo = async ({ plan: { variable, name, before }, version }: PortChange) => {
    try {
      await startup.mutateAsync({ version, variables: { [variable]: before } })
      setChange(null)
      toast({ lamp: 'done', text: t('undone', { name }) })
    } catch (error) {
      // Somebody has saved something else since: the way back would lead over it.
      if (error instanceof ApiFailure && error.code === 'STARTUP_CHANGED') setChange(null)
      toast({ lamp: 'crash', text: failureText(error) })
    }
  }
  return { change, isBusy: startup.isPending, apply, undo }
}

type OfferedProps = { server: Server; plan: PortVariablePlan; isBusy: boolean; onApply: (plan: Edit) => void }

const Offered = ({ server, plan, isBusy, onApply }: OfferedProps) => {
  const t = useTranslations('console.known.portVariable')
  const { name } = plan
  if (plan.is === 'no-port') return <span className="small t2">{t('noPort', { name })}</span>
  if (plan.is === 'right') return <StartAgain server={server} text={t('right', { name })} />
  const { from, to } = plan
  return (
    <>
      <span className="small t2">{t('preview', { name })}</span>
      <code className="known-edits">
        {from} → {to}
      </code>
      <Button size="s" look="primary" busy={isBusy} onClick={() => onApply(plan)}>
        {t('set', { value: to })}
      </Button>
    </>
  )
}

type FixPortVariableProps = {
  server: Server
  line: string
  above: readonly string[]
  /** The way to the server's ports. */
  otherwise: ReactNode
  /** The fix of the game's own file, for a failed port that no variable holds; it has the way to the ports itself. */
  children: ReactNode
}

/** Gives the start-up variable with the failed port another one of the server's own. */
export const FixPortVariable = ({ server, line, above, otherwise, children }: FixPortVariableProps) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, apply, undo } = usePortVariable(server)
  const failed = failedPortOf(line, above)
  const { may, closed } = startupPlaceOf(server, Date.now())
  const isAsked = failed !== undefined && closed === null && may('startup.view')
  const { data: startup, isPending } = useQuery({ ...startupQuery(server.id), enabled: isAsked })
  const plan =
    isAsked && startup ? portVariablePlan({ ...startup, ofProgram: portsOfProgram(startup) }, failed) : undefined
  if (change === null && plan === undefined) return isAsked && isPending ? otherwise : children
  const missing = may('startup.update') ? undefined : t('needs', { permission: tp('startup.update') })
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null && missing !== undefined ? <span className="small t2">{missing}</span> : null}
      {change === null && missing === undefined && plan && startup ? (
        <Offered
          server={server}
          plan={plan}
          isBusy={isBusy}
          onApply={(chosen) => void apply(chosen, startup.version)}
        />
      ) : null}
      {change === null ? null : (
        <FixDone
          server={server}
          text={t('portVariable.done', { name: change.plan.name, value: change.plan.to })}
          isBusy={isBusy}
          onUndo={() => void undo(change)}
        />
      )}
      {otherwise}
    </FocusKept>
  )
}
