'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { usePower } from '../queries/use-power.ts'
import { useIsStartOff } from '../queries/use-switches.ts'
import { MissingPermissions } from './missing-permissions.tsx'
import { missingForPower, powerActionsFor } from './power-actions.ts'

/**
 * Keeps the focus with a fix whose buttons are exchanged: where the pressed one has gone, its successor has the focus, and
 * never the top of the page.
 */
export const FocusKept = ({ state, children }: { state: string; children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(state)
  useEffect(() => {
    if (shown.current === state) return
    shown.current = state
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body)
      box.current?.querySelector<HTMLElement>('button, a[href]')?.focus()
  }, [state])
  return (
    <div ref={box} className="known-fix">
      {children}
    </div>
  )
}

const STARTS = ['start', 'restart'] as const

/** Starts the server, or starts it again; nothing where its state does not allow it. */
const StartButton = ({ server }: { server: Server }) => {
  const t = useTranslations('console.known')
  const toast = useToast()
  const failureText = useFailureText()
  const power = usePower(server.id)
  const isStartOff = useIsStartOff()
  const action = powerActionsFor(server.status, server.permissions).find(
    (each) => each === 'start' || each === 'restart',
  )
  if (action === undefined)
    return <MissingPermissions missing={missingForPower(server.status, server.permissions, STARTS)} />
  if (isStartOff) return null
  const run = () =>
    void power.mutateAsync(action).catch((failure: unknown) => toast({ lamp: 'crash', text: failureText(failure) }))
  return (
    <Button size="s" look="primary" busy={power.isPending} onClick={run}>
      {t(action)}
    </Button>
  )
}

/** A problem that a start solves. It changes nothing, so that there is nothing to undo. */
export const StartAgain = ({ server, text }: { server: Server; text: string }) => (
  <div className="known-done">
    <span className="small t2">{text}</span>
    <StartButton server={server} />
  </div>
)

type FixDoneProps = { server: Server; text: string; isBusy: boolean; onUndo: () => void }

/** After a fix: the next step, which is the server's start, and the way back. */
export const FixDone = ({ server, text, isBusy, onUndo }: FixDoneProps) => {
  const t = useTranslations('console.known')
  return (
    <div className="known-done">
      <span role="status">{text}</span>
      <StartButton server={server} />
      <Button size="s" busy={isBusy} onClick={onUndo}>
        {t('undo')}
      </Button>
    </div>
  )
}
