'use client'
import type { Server } from '#contracts/http/server.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useFailureText } from '../browser-client/failure-text.ts'
import { usePower } from '../queries/use-power.ts'
import { useIsStartOff } from '../queries/use-switches.ts'
import { missingForPower, powerActionsFor } from './power-actions.ts'

type Restarted = Pick<Server, 'id' | 'status' | 'permissions'>

/** A restart for settings that wait for one. A failure is told in a toast. */
export const useRestart = ({ id, status, permissions }: Restarted) => {
  const toast = useToast()
  const failureText = useFailureText()
  const power = usePower(id)
  const isStartOff = useIsStartOff()
  return {
    mayRestart: !isStartOff && powerActionsFor(status, permissions).includes('restart'),
    /** The permission that the reader lacks for it. */
    missing: missingForPower(status, permissions, ['restart']),
    isPending: power.isPending,
    restart: (): void =>
      void power.mutateAsync('restart').catch((failure: unknown) => {
        toast({ lamp: 'crash', text: failureText(failure) })
      }),
  }
}
