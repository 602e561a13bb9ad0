'use client'
import { useCallback, useMemo, useState } from 'react'

/** A time that graphs and log show together, and which of them chose it. */
export type Moment = { readonly atMs: number; readonly from: 'graphs' | 'log' }

export type SharedMoment = {
  readonly moment: Moment | null
  /** Whether the graphs are open: only then the log reports where it is. */
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  /** How often the reader has returned to the present. */
  readonly returns: number
  /** Null returns to the present. */
  readonly choose: (atMs: number | null) => void
  /** The time of the lines in view; null while the log follows its end. */
  readonly seen: (atMs: number | null) => void
}

/** The time at which the reader looks. */
export const useMoment = (): SharedMoment => {
  const [moment, setMoment] = useState<Moment | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [returns, setReturns] = useState(0)
  const setOpen = useCallback((next: boolean) => {
    setIsOpen(next)
    setMoment(null)
  }, [])
  const choose = useCallback((atMs: number | null) => {
    setMoment(atMs === null ? null : { atMs, from: 'graphs' })
    if (atMs === null) setReturns((count) => count + 1)
  }, [])
  const seen = useCallback(
    (atMs: number | null) =>
      setMoment((before) => {
        if (atMs !== null) return { atMs, from: 'log' }
        // A log that still follows its end has not come to the chosen time yet.
        return before?.from === 'log' ? null : before
      }),
    [],
  )
  return useMemo(
    () => ({ moment, isOpen, returns, setOpen, choose, seen }),
    [moment, isOpen, returns, setOpen, choose, seen],
  )
}
