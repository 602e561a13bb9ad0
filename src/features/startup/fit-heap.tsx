'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { heapPlan } from '#domain/known-errors/heap-fix.ts'
import { memoryText } from '@/lib/format/size.ts'
import { FocusKept, StartAgain } from '@/lib/servers/fix-done.tsx'
import { startupPlaceOf } from './startup-context.tsx'
import { startupQuery } from './startup-queries.ts'
import { useStartupFix } from './use-startup-fix.ts'
import { ValueOffered, ValueSet } from './value-offered.tsx'

type FitHeapProps = { server: Server; line: string; otherwise: ReactNode }

/** Fits the start-up variable that sets the program's heap into the server's memory; without one, a start is what is left. */
export const FitHeap = ({ server, line, otherwise }: FitHeapProps) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const locale = useLocale()
  const { change, isBusy, apply, undo } = useStartupFix(server.id)
  const maySee = server.permissions.includes('startup.view')
  const startup = useQuery({ ...startupQuery(server.id), enabled: maySee }).data
  const isClosed = startupPlaceOf(server, Date.now()).closed !== null
  const plan = startup === undefined || isClosed ? undefined : heapPlan(startup, line)
  const before = startup?.variables.find(({ environmentVariable }) => environmentVariable === plan?.variable)
  const missing = (['startup.view', 'startup.update'] as const).find((key) => !server.permissions.includes(key))
  const isOffered = change === null && plan !== undefined && missing === undefined
  // Without the right to look, nobody knows whether a variable would help.
  const isNeeded = missing === 'startup.update' && plan !== undefined
  const isStart = change === null && plan === undefined && (startup !== undefined || !maySee)
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {isNeeded ? <span className="small t2">{t('needs', { permission: tp('startup.update') })}</span> : null}
      {isOffered && startup && before ? (
        <ValueOffered
          preview={t('heap.preview', {
            name: plan.name,
            now: memoryText(plan.nowMiB, locale),
            memory: memoryText(startup.memoryMiB, locale),
          })}
          from={plan.from}
          value={plan.to}
          isBusy={isBusy}
          onApply={() =>
            apply({ ...plan, shown: plan.to, before: before.isDefault ? null : (before.value ?? '') }, startup.version)
          }
        />
      ) : null}
      {isStart ? <StartAgain server={server} text={t('heap.restart')} /> : null}
      {change === null ? null : <ValueSet server={server} fix={change.fix} isBusy={isBusy} onUndo={undo} />}
      {otherwise}
    </FocusKept>
  )
}
