'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { heapPlan } from '#domain/known-errors/heap-fix.ts'
import type { HeapPlan } from '#domain/known-errors/heap-fix.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { memoryText } from '@/lib/format/size.ts'
import { FixDone, FocusKept, StartAgain } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { startupPlaceOf } from './startup-context.tsx'
import { startupQuery, useChangeStartup } from './startup-queries.ts'

/** The earlier value, null for the template's own, and the version of the settings that the change has made. */
type HeapChange = { readonly plan: HeapPlan; readonly before: string | null; readonly version: number }

const useHeap = (server: Server) => {
  const t = useTranslations('console.known.heap')
  const toast = useToast()
  const failureText = useFailureText()
  const startup = useChangeStartup(server.id)
  const [change, setChange] = useState<HeapChange | null>(null)
  const apply = async (plan: HeapPlan, now: { version: number; before: string | null }) => {
    try {
      const { version } = await startup.mutateAsync({ version: now.version, variables: { [plan.variable]: plan.to } })
      setChange({ plan, before: now.before, version })
    } catch (error) {
      toast({ lamp: 'crash', text: failureText(error) })
    }
  }
  const undo = async ({ plan, before, version }: HeapChange) => {
    try {
      await startup.mutateAsync({ version, variables: { [plan.variable]: before } })
      setChange(null)
      toast({ lamp: 'done', text: t('undone', { name: plan.name }) })
    } catch (error) {
      // Somebody has saved something else since: the way back would lead over it.
      if (error instanceof ApiFailure && error.code === 'STARTUP_CHANGED') setChange(null)
      toast({ lamp: 'crash', text: failureText(error) })
    }
  }
  return { change, isBusy: startup.isPending, apply, undo }
}

type OfferedProps = { plan: HeapPlan; memoryMiB: number; isBusy: boolean; onApply: () => void }

const Offered = ({ plan: { name, from, to, nowMiB }, memoryMiB, isBusy, onApply }: OfferedProps) => {
  const t = useTranslations('console.known.heap')
  const locale = useLocale()
  const size = (miB: number) => memoryText(miB, locale)
  return (
    <>
      <span className="small t2">{t('preview', { name, now: size(nowMiB), memory: size(memoryMiB) })}</span>
      <code className="known-edits">
        {from} → {to}
      </code>
      <Button size="s" look="primary" busy={isBusy} onClick={onApply}>
        {t('set', { value: to })}
      </Button>
    </>
  )
}

type FitHeapProps = { server: Server; line: string; otherwise: ReactNode }

/** Fits the start-up variable that sets the program's heap into the server's memory; without one, a start is what is left. */
export const FitHeap = ({ server, line, otherwise }: FitHeapProps) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const { change, isBusy, apply, undo } = useHeap(server)
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
        <Offered
          plan={plan}
          memoryMiB={startup.memoryMiB}
          isBusy={isBusy}
          onApply={() =>
            void apply(plan, { version: startup.version, before: before.isDefault ? null : (before.value ?? '') })
          }
        />
      ) : null}
      {isStart ? <StartAgain server={server} text={t('heap.restart')} /> : null}
      {change === null ? null : (
        <FixDone
          server={server}
          text={t('heap.done', { name: change.plan.name, value: change.plan.to })}
          isBusy={isBusy}
          onUndo={() => void undo(change)}
        />
      )}
      {otherwise}
    </FocusKept>
  )
}
