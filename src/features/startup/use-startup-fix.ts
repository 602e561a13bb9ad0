'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { startupQuery, useChangeStartup } from './startup-queries.ts'

/** A value for a start-up variable; `before` undoes it, null for the template's own, and `shown` is what a reader sees of it. */
export type StartupFix = {
  readonly variable: string
  readonly name: string
  readonly to: string
  readonly shown: string
  readonly before: string | null
}
/** The change, and the version of the settings that it has made. */
type StartupFixDone = { readonly fix: StartupFix; readonly version: number }

/** Gives one variable another value and takes it back, each over the version that was looked at and over no other. */
export const useStartupFix = (serverId: string) => {
  const t = useTranslations('console.known.setting')
  const client = useQueryClient()
  const toast = useToast()
  const failureText = useFailureText()
  const startup = useChangeStartup(serverId)
  const [change, setChange] = useState<StartupFixDone | null>(null)
  const refused = (failure: unknown) => {
    if (failure instanceof ApiFailure && failure.code === 'STARTUP_CHANGED') {
      // Somebody has saved something else since: the way back would lead over it, and the next plan is made over that.
      setChange(null)
      void client.invalidateQueries({ queryKey: startupQuery(serverId).queryKey })
    }
    toast({ lamp: 'crash', text: failureText(failure) })
  }
  const apply = async (fix: StartupFix, now: number) => {
    try {
      const { version } = await startup.mutateAsync({ version: now, variables: { [fix.variable]: fix.to } })
      setChange({ fix, version })
    } catch (failure) {
      refused(failure)
    }
  }
  const undo = async ({ fix: { variable, name, before }, version }: StartupFixDone) => {
    try {
      await startup.mutateAsync({ version, variables: { [variable]: before } })
      setChange(null)
      toast({ lamp: 'done', text: t('undone', { name }) })
    } catch (failure) {
      refused(failure)
    }
  }
  return {
    change,
    isBusy: startup.isPending,
    apply: (fix: StartupFix, now: number) => void apply(fix, now),
    undo: () => void (change && undo(change)),
  }
}
