'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ServerStartup, StartupVariable } from '#contracts/http/panel/startup.ts'
import type { ValueFault } from '#domain/startup/check-value.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import {
  beginDraft,
  draftFaults,
  forgetValue,
  keepValue,
  rebaseDraft,
  resetAll,
  savedDraft,
  typeValue,
} from './draft.ts'
import type { StartupDraft } from './draft.ts'
import { startupQuery, useChangeStartup } from './startup-queries.ts'

/** Asks before the page is left with values that are not saved. */
const useLeaveGuard = (isDirty: boolean) => {
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
}

export type DraftActions = {
  readonly type: (variable: StartupVariable, value: string | null) => void
  readonly forget: (name: string) => void
  readonly keep: (name: string) => void
  readonly resetAll: () => void
  readonly discard: () => void
  readonly save: () => void
}

export type StartupForm = DraftActions & {
  readonly draft: StartupDraft
  readonly faults: Readonly<Record<string, ValueFault>>
  /** Sentences of the site for fields that it refused. */
  readonly refused: Readonly<Record<string, string>>
  readonly count: number
  readonly isSaving: boolean
  readonly hasSaved: boolean
  /** Why the last save failed, unless the fields or the notice say it. */
  readonly failure: unknown
}

const fieldsOf = (failure: unknown): Record<string, string> =>
  failure instanceof ApiFailure && failure.code === 'VALIDATION'
    ? Object.fromEntries(
        Object.entries(failure.fields).map(([name, text]) => [name.replace(/^variables\./, ''), text] as const),
      )
    : {}

const isClash = (failure: unknown): boolean => failure instanceof ApiFailure && failure.code === 'STARTUP_CHANGED'

/** The typed values over the saved ones. Nothing typed is lost by a refusal, a failure or somebody else's save. */
export const useStartupDraft = (serverId: string, startup: ServerStartup): StartupForm => {
  const client = useQueryClient()
  const change = useChangeStartup(serverId)
  const [known, setDraft] = useState(() => beginDraft(startup))
  const draft = known.base === startup ? known : rebaseDraft(known, startup)
  if (draft !== known) setDraft(draft)
  const count = Object.keys(draft.typed).length
  useLeaveGuard(count > 0)
  const edit = (next: (draft: StartupDraft) => StartupDraft) => {
    if (!change.isPending) change.reset()
    setDraft(next)
  }
  const save = () => {
    const sent = draft.typed
    if (change.isPending || Object.keys(sent).length === 0 || Object.keys(draftFaults(draft)).length > 0) return
    change.mutate(
      { version: draft.base.version, variables: sent },
      {
        onSuccess: (fresh) => setDraft((present) => savedDraft(present, sent, fresh)),
        onError: (failure) => {
          if (isClash(failure)) void client.invalidateQueries({ queryKey: startupQuery(serverId).queryKey })
        },
      },
    )
  }
  const refused = fieldsOf(change.error)
  const isSaid = Object.keys(refused).length > 0 || (isClash(change.error) && draft.otherAt !== null)
  return {
    draft,
    faults: draftFaults(draft),
    refused,
    count,
    isSaving: change.isPending,
    hasSaved: change.isSuccess,
    failure: isSaid ? null : change.error,
    type: (variable, value) => edit((present) => typeValue(present, variable, value)),
    forget: (name) => edit((present) => forgetValue(present, name)),
    keep: (name) => edit((present) => keepValue(present, name)),
    resetAll: () => edit(resetAll),
    discard: () => edit(({ base }) => beginDraft(base)),
    save,
  }
}
