'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useRef, useState } from 'react'
import { PowerAnswer } from '#contracts/http/server.ts'
import type { PowerAction, Server } from '#contracts/http/server.ts'
import { PERMISSION_OF_POWER_ACTION } from '#contracts/panel/permissions.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { newRequestId } from '@/lib/browser-client/request-id.ts'
import { keys } from '@/lib/queries/queries.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { inTurns } from './in-turns.ts'

/** The outcome of an action for one server. */
export type Outcome =
  | { readonly kind: 'sending' }
  | { readonly kind: 'sent'; readonly action: PowerAction }
  | { readonly kind: 'failed'; readonly text: string }

/** So many calls are under way at once. */
const AT_ONCE = 4
/** The lamp tells the rest. A failure stays until the next action. */
const SENT_SHOWN_MS = 8_000

const NOTHING: ReadonlyMap<string, Outcome> = new Map()

/** Sends a power action for each of several servers; each has an answer of its own, in its row. */
export const useBulkPower = () => {
  const t = useTranslations('servers.list')
  const tc = useTranslations('collaborators')
  const client = useQueryClient()
  const failureText = useFailureText()
  const toast = useToast()
  const [outcomes, setOutcomes] = useState(NOTHING)
  const [isRunning, setRunning] = useState(false)
  const timer = useRef(0)
  const sending = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const note = (id: string, outcome: Outcome) => setOutcomes((all) => new Map(all).set(id, outcome))

  const ask = async (server: Server, action: PowerAction): Promise<Outcome> => {
    const permission = PERMISSION_OF_POWER_ACTION[action]
    if (!server.permissions.includes(permission)) {
      return { kind: 'failed', text: tc('needs', { permission: tc(`keys.${permission}`) }) }
    }
    const body = { action, requestId: newRequestId() }
    const path = `/api/server/${encodeURIComponent(server.id)}/power`
    return api
      .call(path, { method: 'POST', body, schema: PowerAnswer, keepalive: true })
      .then((): Outcome => ({ kind: 'sent', action }))
      .catch((failure: unknown): Outcome => ({ kind: 'failed', text: failureText(failure) }))
  }

  /** Resolves with the ids of the servers that were told. A server whose action is under way gets no second one meanwhile. */
  const run = async (action: PowerAction, asked: readonly Server[]): Promise<readonly string[]> => {
    const servers = asked.filter(({ id }) => !sending.current.has(id))
    if (servers.length === 0) return []
    sending.current = new Set([...sending.current, ...servers.map(({ id }) => id)])
    window.clearTimeout(timer.current)
    setRunning(true)
    setOutcomes((all) => {
      const underWay = [...all].filter(([, { kind }]) => kind === 'sending')
      return new Map([...underWay, ...servers.map(({ id }) => [id, { kind: 'sending' }] as const)])
    })
    const failed: string[] = []
    await inTurns(servers, AT_ONCE, async (server) => {
      const outcome = await ask(server, action)
      if (outcome.kind === 'failed') failed.push(server.id)
      note(server.id, outcome)
      sending.current = new Set([...sending.current].filter((id) => id !== server.id))
    })
    setRunning(sending.current.size > 0)
    void client.invalidateQueries({ queryKey: keys.servers })
    const counts = { all: servers.length, failed: failed.length, done: servers.length - failed.length }
    toast({ lamp: failed.length > 0 ? 'crash' : 'done', text: t('outcome', counts) })
    const withoutSent = (all: ReadonlyMap<string, Outcome>) =>
      new Map([...all].filter(([, { kind }]) => kind !== 'sent'))
    timer.current = window.setTimeout(() => setOutcomes(withoutSent), SENT_SHOWN_MS)
    return servers.map(({ id }) => id).filter((id) => !failed.includes(id))
  }
  return { outcomes, isRunning, run, forget: useCallback(() => setOutcomes(NOTHING), []) }
}
