'use client'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** The controls of a row that can move it. */
const MOVERS = ['[data-grip]', '[aria-haspopup=menu]'] as const

type Kept = { readonly serverId: string; readonly mover: string }

const keptOf = (target: EventTarget | null): Kept | null => {
  if (!(target instanceof Element)) return null
  const serverId = target.closest<HTMLElement>('[data-server]')?.dataset['server']
  const mover = MOVERS.find((selector) => target.matches(selector))
  return serverId === undefined || mover === undefined ? null : { serverId, mover }
}

/**
 * A row that was moved without a pointer is another element, or was taken out and put back: the control that moved it has the focus
 * again.
 */
export const useKeptGrip = (list: RefObject<HTMLElement | null>): void => {
  const kept = useRef<Kept | null>(null)
  useEffect(() => {
    const note = ({ target }: Event) => {
      kept.current = keptOf(target)
    }
    const forget = () => {
      kept.current = null
    }
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', forget)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
  useLayoutEffect(() => {
    if (kept.current === null || document.activeElement !== document.body) return
    const { serverId, mover } = kept.current
    list.current?.querySelector<HTMLElement>(`[data-server="${serverId}"] ${mover}`)?.focus()
  })
}
