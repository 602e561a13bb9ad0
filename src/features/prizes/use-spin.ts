'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { SpinAnswer } from '#contracts/http/spin.ts'
import type { SpinProof, SpinRequest, WheelView } from '#contracts/http/spin.ts'
import { keys } from '@/lib/queries/queries.ts'
import { prizeKeys } from './prize-queries.ts'
import { usePurchase } from './use-purchase.ts'
import { sectorsOf, turnTo } from './wheel-geometry.ts'

/** The duration of the animation; the style sheet has the same value. */
const turnMs = 3_000

/** With reduced motion the result is shown at once. */
const waitMs = () => (window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : turnMs)

/** Spins: the server draws before the wheel turns, and the result is shown when it stops. */
export const useSpin = (view: WheelView) => {
  const client = useQueryClient()
  const [turnDeg, setTurnDeg] = useState(0)
  const [isTurning, setIsTurning] = useState(false)
  const [won, setWon] = useState<SpinProof | null>(null)
  const timer = useRef<number | null>(null)
  useEffect(
    () => () => {
      if (timer.current !== null) window.clearTimeout(timer.current)
    },
    [],
  )
  const spin = usePurchase<SpinRequest, typeof SpinAnswer>({
    path: '/api/spin',
    schema: SpinAnswer,
    onDone: ({ spin: drawn, wheel }) => {
      const sector = sectorsOf(view.fields).find(({ id }) => id === drawn.prizeId)
      if (sector) setTurnDeg((deg) => turnTo(sector, deg))
      setIsTurning(true)
      timer.current = window.setTimeout(() => {
        setIsTurning(false)
        setWon(drawn)
        client.setQueryData<WheelView>(prizeKeys.wheel, wheel)
        for (const queryKey of [prizeKeys.spins, keys.me, keys.balance]) void client.invalidateQueries({ queryKey })
      }, waitMs())
    },
  })
  return {
    turnDeg,
    won,
    isBusy: spin.isPending || isTurning,
    failure: spin.error,
    spin: (clientSeed: string) => {
      if (view.serverSeedHash === null) return
      setWon(null)
      spin.mutate({ clientSeed, serverSeedHash: view.serverSeedHash })
    },
  }
}
