'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { failedPortOf, portVariablePlan } from '#domain/known-errors/port-variable-fix.ts'
import type { PortVariablePlan } from '#domain/known-errors/port-variable-fix.ts'
import { FocusKept, StartAgain } from '@/lib/servers/fix-done.tsx'
import { startupPlaceOf } from './startup-context.tsx'
import { startupQuery } from './startup-queries.ts'
import { useStartupFix } from './use-startup-fix.ts'
import type { StartupFix } from './use-startup-fix.ts'
import { ValueOffered, ValueSet } from './value-offered.tsx'

type OfferedProps = { server: Server; plan: PortVariablePlan; isBusy: boolean; onApply: (fix: StartupFix) => void }

const Offered = ({ server, plan, isBusy, onApply }: OfferedProps) => {
  const t = useTranslations('console.known.portVariable')
  const { name } = plan
  if (plan.is === 'no-port') return <span className="small t2">{t('noPort', { name })}</span>
  if (plan.is === 'right') return <StartAgain server={server} text={t('right', { name })} />
  const shown = String(plan.port)
  return (
    <ValueOffered
      preview={t('preview', { name })}
      from={plan.from}
      value={shown}
      isBusy={isBusy}
      onApply={() => onApply({ ...plan, shown })}
    />
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
  const { change, isBusy, apply, undo } = useStartupFix(server.id)
  const failed = failedPortOf(line, above)
  const { may, closed } = startupPlaceOf(server, Date.now())
  const isAsked = failed !== undefined && closed === null && may('startup.view')
  const { data: startup, isPending } = useQuery({ ...startupQuery(server.id), enabled: isAsked })
  const plan = isAsked && startup ? portVariablePlan(startup, failed) : undefined
  if (change === null && plan === undefined) return isAsked && isPending ? otherwise : children
  const missing = may('startup.update') ? undefined : t('needs', { permission: tp('startup.update') })
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {change === null && missing !== undefined ? <span className="small t2">{missing}</span> : null}
      {change === null && missing === undefined && plan && startup ? (
        <Offered server={server} plan={plan} isBusy={isBusy} onApply={(fix) => apply(fix, startup.version)} />
      ) : null}
      {change === null ? null : <ValueSet server={server} fix={change.fix} isBusy={isBusy} onUndo={undo} />}
      {otherwise}
    </FocusKept>
  )
}
