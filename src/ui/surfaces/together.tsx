'use client'
import type { ReactNode } from 'react'
import { useLoadingHold } from '../screen/use-loading-hold.ts'

type Awaited = { data: unknown; isError: boolean }

/** A part that failed to load is ready to say so. */
const isSettled = ({ data, isError }: Awaited): boolean => data !== undefined || isError

/** `hidden` and `seen`: something is loading, and the skeleton is not yet, or already, shown. */
export type TogetherPhase = 'hidden' | 'seen' | 'ready'

/**
 * Whether everything that has a height of its own on a page has arrived. Parts that appear one after the other would push each other
 * down; parts that appear together move nothing.
 */
export const useTogether = (...queries: readonly Awaited[]): TogetherPhase => {
  const isLoading = !queries.every(isSettled)
  const phase = useLoadingHold(isLoading)
  if (!isLoading && phase !== 'seen') return 'ready'
  return phase === 'seen' ? 'seen' : 'hidden'
}

type TogetherProps = {
  phase: TogetherPhase
  /** In the height of what comes, as far as it is known. */
  skeleton: ReactNode
  children: ReactNode
}

/** One skeleton in place of all parts until they appear together. */
export const Together = ({ phase, skeleton, children }: TogetherProps) =>
  phase === 'ready' ? children : <div style={{ visibility: phase === 'seen' ? 'visible' : 'hidden' }}>{skeleton}</div>
