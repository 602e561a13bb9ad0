'use client'
import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { screenTimes } from '@/ui/screen/screen-times.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { createWaitingStops } from './waiting-stops.ts'

const stops = createWaitingStops(
  { set: (run, delayMs) => window.setTimeout(run, delayMs), clear: (timer) => window.clearTimeout(timer) },
  screenTimes.stopTakenBackMs,
)
if (typeof window !== 'undefined') window.addEventListener('pagehide', stops.sendAll)

/** How to close the toasts of stops that wait. */
const closers = new Map<string, () => void>()

/** Stops a server after a moment in which a toast takes it back: people on it would lose their game by a slip. */
export const useStop = ({ id, name }: Pick<Server, 'id' | 'name'>) => {
  const t = useTranslations('servers')
  const toast = useToast()
  const isWaiting = useSyncExternalStore(
    stops.subscribe,
    () => stops.isWaiting(id),
    () => false,
  )
  const stop = (send: () => void) => {
    if (isWaiting) return
    stops.begin(id, send)
    const close = toast({
      lamp: 'stopping',
      text: t('stopsSoon', { name, seconds: screenTimes.stopTakenBackMs / 1_000 }),
      action: { label: t('takeBack'), run: () => stops.takeBack(id) },
      durationMs: screenTimes.stopTakenBackMs,
    })
    closers.set(id, close)
  }
  /** Another power action takes the place of a stop that waits: a restart must not end in a stopped server. */
  const supersede = () => {
    stops.takeBack(id)
    closers.get(id)?.()
    closers.delete(id)
  }
  return { isWaiting, stop, supersede }
}
