'use client'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useFirstPaint } from '../screen/use-first-paint.ts'
import { useLoadingHold } from '../screen/use-loading-hold.ts'
import { SkeletonRows } from './states.tsx'

type Awaited = { data: unknown; isError: boolean }

/** A part that failed to load is ready to say so. */
const isSettled = ({ data, isError }: Awaited): boolean => data !== undefined || isError

/** `hidden` and `seen`: something is loading, and the skeleton is not yet, or already, shown. */
export type TogetherPhase = 'hidden' | 'seen' | 'ready'

const usePhase = (isLoading: boolean): TogetherPhase => {
  const isFirst = useFirstPaint()
  const phase = useLoadingHold(isLoading)
  if (isFirst) return isLoading ? 'seen' : 'ready'
  if (!isLoading && phase !== 'seen') return 'ready'
  return phase === 'seen' ? 'seen' : 'hidden'
}

/**
 * Whether everything that has a height of its own on a page has arrived. Parts that appear one after the other would push each other
 * down; parts that appear together move nothing. The page's first paint shows the skeleton at once: there is nothing to flash.
 * Parts that have appeared stay: a part that failed reads again when it appears, and would otherwise take all of them away each time.
 */
export const useTogether = (...queries: readonly Awaited[]): TogetherPhase => {
  const phase = usePhase(!queries.every(isSettled))
  const [hasAppeared, setAppeared] = useState(false)
  if (phase === 'ready' && !hasAppeared) setAppeared(true)
  return hasAppeared ? 'ready' : phase
}

type TogetherProps = {
  phase: TogetherPhase
  /** The name of the parts that are being read, in a sentence. It is the first that somebody on a slow phone sees. */
  reading: string
  children: ReactNode
}

/** One skeleton in place of all parts until they appear together. */
export const Together = ({ phase, reading, children }: TogetherProps) =>
  phase === 'ready' ? (
    children
  ) : (
    <div style={{ visibility: phase === 'seen' ? 'visible' : 'hidden' }}>
      <p className="reading">{reading}</p>
      <SkeletonRows rows={12} />
    </div>
  )
